import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsOf, setNeedsReauth } from "../store/queries/connections.ts";
import { everybody, scratchDatabase, someConnection, someUser } from "../store/testing/scratch.ts";
import { type Reader, readableConnections } from "./readable.ts";

test("SYNC-8: a graph whose grant was withdrawn is readable for its grace, through neither door after it", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const [withdrawn, active] = [
    await someConnection(database, userId),
    await someConnection(database, userId),
  ];
  await database.transaction((trx) => setNeedsReauth(trx, withdrawn, 1000));
  const workspaceIds = (await connectionsOf(database.read, userId)).map(({ workspaceId }) => workspaceId);
  const session = { userId, sessionId: "s", issuedAt: 1, expiresAt: 2 };
  const token = { userId, tokenId: 1, name: "t", prefix: "svc_", scopes: [], workspaceIds, expiresAt: null };
  const readers: Reader[] = [
    { kind: "session", ...session },
    { kind: "service-token", ...token },
  ];
  for (const reader of readers) {
    const readable = async (oldest: number) =>
      (await readableConnections(database, reader, { allowed: everybody, oldestWithdrawal: oldest })).map(
        ({ id }) => id,
      );
    assert.deepEqual(await readable(1000), [withdrawn, active]);
    assert.deepEqual(await readable(1001), [active]);
  }
});

test("SIGN-10: what is readable is limited to the workspaces on the list, through both doors", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  await someConnection(database, userId);
  const listed = await someConnection(database, userId);
  const workspaceIds = (await connectionsOf(database.read, userId)).map(({ workspaceId }) => workspaceId);
  const token = { userId, tokenId: 1, name: "t", prefix: "svc_", scopes: [], workspaceIds, expiresAt: null };
  const readers: Reader[] = [
    { kind: "session", userId, sessionId: "s", issuedAt: 1, expiresAt: 2 },
    { kind: "service-token", ...token },
  ];
  const allowed = { workspaces: workspaceIds.slice(1), emails: [], anyone: false };
  for (const reader of readers) {
    const readable = await readableConnections(database, reader, { allowed, oldestWithdrawal: 0 });
    assert.deepEqual(
      readable.map(({ id }) => id),
      [listed],
    );
  }
});
