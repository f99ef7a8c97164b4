import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsOf, setNeedsReauth } from "../store/connections.ts";
import { scratchDatabase, someConnection, someUser } from "../store/testing/scratch.ts";
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
      (await readableConnections(database, reader, oldest)).map(({ id }) => id);
    assert.deepEqual(await readable(1000), [withdrawn, active]);
    assert.deepEqual(await readable(1001), [active]);
  }
});
