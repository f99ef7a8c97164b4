import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { call } from "../support/call.ts";
import { filesIn } from "../support/files-in.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { type RecordingProxy, recordTo } from "../support/recording-proxy.ts";
import { createToken, type SignIn, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";

/** The tokens that the provider issued, from the recorded traffic. */
function providerTokens({ exchanges }: RecordingProxy): Record<string, string> {
  const exchange = exchanges.find(({ path, status }) => path === "/v1/oauth/token" && status === 200);
  const { access_token, refresh_token } = JSON.parse(exchange?.body ?? "{}");
  return { "the provider's access token": access_token, "the provider's refresh token": refresh_token };
}

/** Sends secrets to wrong places, so that the refusals are logged as well. */
async function misuse(base: URL, session: SignIn, token: string): Promise<number[]> {
  const { access, refresh, callback } = session;
  const answers = [
    await call(base, `api/v1/search/?q=a&access_token=${token}`, { token }),
    await call(base, `api/auth/me/?token=${access}`, { token }),
    await call(base, `api/auth/${refresh}/`, { token: refresh }),
    await call(base, "api/v1/workspaces/", { token: `${token}x` }),
    await call(base, "api/auth/refresh/", { method: "POST", body: { refresh: access, again: token } }),
    await call(base, "api/tokens/", {
      method: "POST",
      token: access,
      body: { name: token, scopes: [token] },
    }),
  ];
  // A callback that was used already.
  const replay = await fetch(callback, { redirect: "manual" });
  return [...answers.map(({ status }) => status), replay.status];
}

test("SIGN-8, TOK-2: the secrets of a whole run are in no log, and only sealed or hashed in the data", async (t) => {
  const stage = await stageOf(t);
  const notion = await startNotion(stage, await writeSmallWorkspace(stage));
  const proxy = await recordTo(notion.url);
  stage.defer(() => proxy.close());
  const key = randomBytes(32);
  const dataDir = join(stage.folder, "data");
  const clew = await stage.start({
    ...settingsFor(notion, proxy.url),
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: key.toString("base64"),
    LOG_LEVEL: "trace",
  });

  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { access, refresh } = session;
  const created = await createToken(clew.url, session, "a secret");
  assert.equal((await call(clew.url, "api/v1/workspaces/", { token: created.token })).status, 200);
  assert.deepEqual(await misuse(clew.url, session, created.token), [400, 403, 404, 401, 400, 400, 302]);
  const renewed = await call<{ access: string }>(clew.url, "api/auth/refresh/", {
    method: "POST",
    body: { refresh },
  });
  const whileItRuns = await filesIn(dataDir);
  await call(clew.url, `api/tokens/${created.id}/`, { method: "DELETE", token: access });
  assert.equal((await call(clew.url, "api/v1/workspaces/", { token: created.token })).status, 401);
  await call(clew.url, "api/auth/logout/", { method: "POST", token: access, body: { refresh } });
  assert.equal((await call(clew.url, "api/auth/me/", { token: access })).status, 401);
  assert.equal(await clew.terminate(), 0);

  const secrets: Record<string, string> = {
    "the service token": created.token,
    "the access token": access,
    "the renewed access token": renewed.body.access,
    "the refresh token": refresh,
    "the code": session.callback.searchParams.get("code") ?? "",
    "the state": session.callback.searchParams.get("state") ?? "",
    "the cookie of the sign-in": session.setCookie.split(/[=;]/)[1] ?? "",
    ...providerTokens(proxy),
    "the client's secret": notion.clientSecret,
    "the client's credentials": Buffer.from(`${notion.clientId}:${notion.clientSecret}`).toString("base64"),
    "the encryption key": key.toString("base64"),
    "the encryption key's bytes": key.toString("latin1"),
  };
  const places = new Map([
    ...[...whileItRuns].map(([name, bytes]) => [`${name} while it runs`, bytes] as const),
    ...(await filesIn(dataDir)),
    ["the log", Buffer.from(clew.output())] as const,
  ]);
  // Proof that the search works: the token's prefix is not secret and every request is logged, so both are found.
  assert(places.get("clew.db")?.includes(created.prefix));
  assert(places.get("the log")?.includes("request completed"));
  for (const [what, secret] of Object.entries(secrets)) {
    assert(secret.length >= 16, `${what} was seen`);
    for (const [place, bytes] of places)
      assert(!bytes.includes(secret, 0, "latin1"), `${what} is in ${place}`);
  }
});
