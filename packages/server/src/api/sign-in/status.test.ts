import assert from "node:assert/strict";
import { test } from "node:test";
import { finishSync, setNeedsReauth } from "../../store/queries/connections.ts";
import { workspaceId } from "./testing/provider-server.ts";
import { type SignInServer, serveSignIn } from "./testing/sign-in-server.ts";

const status = async ({ browser }: SignInServer, authorization?: string) => {
  const { status: code, text } = await browser().open("/status", authorization ? { authorization } : {});
  return { code, body: JSON.parse(text) };
};

async function signIn({ browser }: SignInServer): Promise<{ access: string; refresh: string }> {
  const tab = browser();
  const { fragment } = await tab.finish({ code: "c", state: await tab.begin() });
  return { access: fragment.access_token ?? "", refresh: fragment.refresh_token ?? "" };
}

const signedOutStatus = {
  provider: "notion",
  name: "Notion",
  configured: true,
  stand_in: false,
  folder: null,
  setup: null,
  workspaces: null,
  sources: [{ provider: "notion", name: "Notion", kind: "service", asks_for_code: false }],
};

test("SIGN-6: without a token the status shows where to sign in, and no workspaces", async (t) => {
  const server = await serveSignIn(t);
  assert.deepEqual(await status(server), { code: 200, body: signedOutStatus });
});

test("SIGN-6: the status of the demo workspace says how to connect a provider instead", async (t) => {
  const setup = { name: "Pages", steps: ["Create a token.", "Set it."] };
  const server = await serveSignIn(t, { setup });
  assert.deepEqual(await status(server), { code: 200, body: { ...signedOutStatus, setup } });
});

test("SIGN-6: with an access token the status shows the caller's workspaces and their state", async (t) => {
  const server = await serveSignIn(t);
  const { access } = await signIn(server);
  const workspace = {
    id: workspaceId,
    provider: "notion",
    name: "The Labyrinth",
    icon: "🧶",
    status: "active",
    last_synced_at: null,
  };
  const shown = async () => (await status(server, `Bearer ${access}`)).body.workspaces;
  assert.deepEqual(await shown(), [workspace]);
  const { database, clock } = server.fixture;
  const [connectionId = 0] = server.synced;
  await database.transaction((trx) =>
    finishSync(trx, connectionId, { startedAt: clock(), now: clock(), isComplete: true }),
  );
  const last_synced_at = new Date(clock()).toISOString();
  assert.deepEqual(await shown(), [{ ...workspace, last_synced_at }]);
  await database.transaction((trx) => setNeedsReauth(trx, connectionId, clock()));
  assert.deepEqual(await shown(), [{ ...workspace, status: "needs_reauth", last_synced_at }]);
});

test("TOK-11: the status treats anything but a valid access token as anonymous", async (t) => {
  const server = await serveSignIn(t);
  const { access, refresh } = await signIn(server);
  const { userId } = await server.fixture.sessions.verifyAccess(access);
  const { raw } = await server.fixture.serviceToken(userId);
  for (const credentials of [refresh, raw, `${access}x`, "nonsense"]) {
    assert.deepEqual(await status(server, `Bearer ${credentials}`), { code: 200, body: signedOutStatus });
  }
  server.fixture.clock.advance(4 * 60 * 60 * 1000);
  assert.deepEqual(await status(server, `Bearer ${access}`), { code: 200, body: signedOutStatus });
});

test("ERR-2: the status accepts no parameters", async (t) => {
  const server = await serveSignIn(t);
  const { status: code, text } = await server.browser().open("/status?workspaces=all");
  assert.equal(code, 400);
  assert.deepEqual(JSON.parse(text).errors, [{ path: "?workspaces", message: "is not known" }]);
});
