import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallerKey, Database } from "../port.ts";
import { scratchDatabase, someConnection, someHash, someToken, someUser } from "../testing/scratch.ts";
import { findCallers, idOfCaller } from "./callers.ts";
import { openSession } from "./sessions.ts";

/** A new person's token and session. */
async function someKeys(database: Database, userId: string): Promise<CallerKey[]> {
  const hash = Buffer.from(someHash());
  await someToken(database, userId, { hash });
  const session = { id: `session of ${userId}`, userId, userAgent: null, createdAt: 1, refreshExpiresAt: 9 };
  await database.transaction((trx) => openSession(trx, session));
  return [
    { kind: "service-token", hash },
    { kind: "session", sessionId: session.id },
  ];
}

test("GRAPH-15: a caller has the connections of their own, oldest first, and none of another person's", async (t) => {
  const { database } = await scratchDatabase(t);
  const [ann, ben, cy] = [await someUser(database), await someUser(database), await someUser(database)];
  const expected = new Map<string, number[]>([
    [ann, []],
    [ben, []],
    [cy, []],
  ]);
  // The order of the ids of workspaces is not that of their connections.
  for (const [userId, workspaceId] of [
    [ann, "c"],
    [ben, "b"],
    [ann, "a"],
    [ben, "c"],
    [ann, "b"],
  ] as const)
    expected.get(userId)?.push(await someConnection(database, userId, workspaceId));
  const keys = [];
  for (const userId of [ann, ben, cy])
    keys.push(...(await someKeys(database, userId)).map((key) => ({ key, userId })));
  const [tokens, sessions] = [
    keys.filter(({ key }) => key.kind === "service-token"),
    keys.filter(({ key }) => key.kind === "session"),
  ];
  for (const asked of [keys, tokens, sessions, keys.slice(0, 1)]) {
    const callers = await findCallers(
      database.read,
      asked.map(({ key }) => key),
    );
    assert.equal(callers.size, asked.length);
    for (const { key, userId } of asked) {
      const caller = callers.get(idOfCaller(key));
      assert.deepEqual(
        [caller?.kind, caller?.owner.id, caller?.owner.connections.map(({ id }) => id)],
        [key.kind, userId, expected.get(userId)],
      );
      assert.ok(caller?.owner.connections.every((connection) => connection.userId === userId));
    }
  }
});
