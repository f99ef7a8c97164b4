import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { KnownCaller } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import { connectionsOf, setNeedsReauth } from "../store/queries/connections.ts";
import { scratchDatabase, someConnection, someUser } from "../store/testing/scratch.ts";
import { readableConnections } from "./readable.ts";

/** A session and a service token of a user with these connections; the token opens those of `workspaceIds`. */
function callersOf(connections: readonly Connection[], workspaceIds: readonly string[]): KnownCaller[] {
  const owner = { userId: "u", connections };
  const about = { tokenId: 1, name: "t", prefix: "svc_", scopes: [], expiresAt: null, resource: null };
  const token = { ...about, workspaceIds };
  return [
    { kind: "session", ...owner, sessionId: "s", issuedAt: 1, expiresAt: 2 },
    { kind: "service-token", ...owner, ...token },
  ];
}

async function connect(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const ids = [await someConnection(database, userId), await someConnection(database, userId)] as const;
  return { database, ids, connections: () => connectionsOf(database.read, userId) };
}

test("SYNC-8: a graph whose grant was withdrawn is readable for its grace, through neither door after it", async (t) => {
  const { database, ids, connections } = await connect(t);
  const [withdrawn, active] = ids;
  await database.transaction((trx) => setNeedsReauth(trx, withdrawn, 1000));
  const own = await connections();
  const workspaceIds = own.map(({ workspaceId }) => workspaceId);
  for (const caller of callersOf(own, workspaceIds)) {
    const readable = (oldest: number) => readableConnections(caller, oldest).map(({ id }) => id);
    assert.deepEqual(readable(1000), [withdrawn, active]);
    assert.deepEqual(readable(1001), [active]);
  }
});

test("GRAPH-10: a session reads all that its user may use, a service token the workspaces in its list", async (t) => {
  const { ids, connections } = await connect(t);
  const own = await connections();
  const [session, token] = callersOf(own, [own[1]?.workspaceId ?? "", "another"]);
  assert.ok(session && token);
  const readable = (caller: KnownCaller) => readableConnections(caller, 0).map(({ id }) => id);
  assert.deepEqual(readable(session), [...ids]);
  assert.deepEqual(readable(token), [ids[1]]);
});
