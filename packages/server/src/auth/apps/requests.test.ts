import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { actorOf } from "../../model/testing/actor.ts";
import { countLiveCodes } from "../../store/queries/apps.ts";
import { createAuthFixture } from "../testing/auth-fixture.ts";
import { Clients } from "./clients.ts";
import { approveRequest, beginAuthorization, denyRequest } from "./requests.ts";

const clientId = "https://claude.ai/oauth/claude-code-client-metadata";

/** A request in the first of two buckets, and the person of the second one who decides. */
async function open(t: TestContext) {
  const [first, second] = [await createAuthFixture(t), await createAuthFixture(t)];
  const { clock } = first;
  const { database } = second;
  const { id: userId } = await second.signUp("someone");
  const { sessionId } = await second.signIn(userId);
  await second.connect(userId, "one");
  const services = {
    ...{ database, home: first.database, clock },
    random: (size: number) => new Uint8Array(randomBytes(size)),
    config: { publicUrl: new URL("https://clew.example") },
    clients: new Clients({
      config: { oauthClients: "open" },
      registrations: {
        open: async (id) => ({
          ...{ id, kind: "registered" as const, name: "An app", host: null },
          redirectUris: ["https://app.example/callback"],
        }),
      },
      documents: { stored: async () => null, read: () => Promise.reject(new Error("not read")) },
    }),
  };
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: "http://127.0.0.1:49152/callback" },
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update("v".repeat(43)).digest("base64url"),
  });
  const begin = (changed: Readonly<Record<string, string>> = {}) => {
    const asked = new URLSearchParams({ ...Object.fromEntries(query), ...changed });
    return beginAuthorization(services, { query: asked, reachedHost: "clew.example", cookies: {} });
  };
  const begun = await begin();
  const [name = "", secret] = begun.cookies[0]?.split(";")[0]?.split("=") ?? [];
  const id = new URL(begun.location).searchParams.get("request") ?? "";
  const key = { id, cookies: { [name]: secret } };
  const actor = actorOf({ userId, sessionId });
  const approval = { scopes: ["graph:read" as const], workspace_ids: ["one"] };
  return {
    begin,
    approve: () => approveRequest(services, actor, { key, approval }),
    deny: () => denyRequest(services, actor, key),
    codes: () => countLiveCodes(database.read, userId, clock()),
  };
}

const errorOf = ({ redirectTo }: { readonly redirectTo: string }) =>
  new URL(redirectTo).searchParams.get("error");

test("APP-4, OPS-13: of two approvals at the same time one holds, where the request is in another bucket", async (t) => {
  const { approve, deny, codes } = await open(t);
  const outcomes = await Promise.allSettled([approve(), approve()]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  assert.equal(refused?.reason.code, "not_found");
  assert.equal(await codes(), 1, "the code of the other one is taken back");
  await assert.rejects(deny(), { code: "not_found" });
});

test("APP-4, OPS-13: a denial answers the request, where it is in another bucket", async (t) => {
  const { approve, deny, codes } = await open(t);
  const outcomes = await Promise.allSettled([deny(), deny()]);
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  assert.deepEqual(answers.map(errorOf), ["access_denied"]);
  await assert.rejects(approve(), { code: "not_found" });
  assert.equal(await codes(), 0);
});

test("APP-4: a faulty request leads to a program that Clew knows, and to any other only once a person has seen it", async (t) => {
  const { begin } = await open(t);
  const asked = { response_type: "token", state: "its own" };
  const known = await begin({
    ...{ ...asked, client_id: "https://chatgpt.com/oauth/client.json" },
    redirect_uri: "https://chatgpt.com/connector_platform_oauth_redirect",
  });
  const { origin, searchParams } = new URL(known.location);
  assert.deepEqual(
    [origin, searchParams.get("error"), searchParams.get("state"), known.cookies.length],
    ["https://chatgpt.com", "unsupported_response_type", "its own", 0],
  );
  const other = await begin({
    ...asked,
    client_id: "app_registered",
    redirect_uri: "https://app.example/callback",
  });
  assert.equal(new URL(other.location).origin, "https://clew.example");
  const local = await begin(asked);
  assert.equal(new URL(local.location).origin, "http://127.0.0.1:49152");
});
