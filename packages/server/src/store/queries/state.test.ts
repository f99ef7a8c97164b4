import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someConnection, someHash, someUser } from "../testing/scratch.ts";
import { finishSync, setNeedsReauth } from "./connections.ts";
import { type Job, putJob } from "./jobs.ts";
import { removeConnection } from "./removed-connections.ts";
import { insertServiceToken } from "./service-tokens.ts";
import { endSession, openSession } from "./sessions.ts";
import { readState } from "./state.ts";

test("OPS-2: the stored state counts what lives: connections, syncs, sessions and tokens", async (t) => {
  const { database } = await scratchDatabase(t);
  const now = 1_000;
  const stateNow = async () => {
    const { schema, connections, ...state } = await readState(database.read, now);
    assert.ok(schema > 0);
    return { ...state, connections: connections.map(({ status, count }) => [status, count]).sort() };
  };
  const nothing = {
    ...{ awaitedSyncs: 0, syncsUnderWay: 0, oldestSync: null, usableTokens: 0, liveSessions: 0 },
    ...{ backedUpAt: null, connections: [] },
  };
  assert.deepEqual(await stateNow(), nothing);

  const userId = await someUser(database);
  const session = { userId, userAgent: null, createdAt: 1, refreshExpiresAt: now + 1 };
  const token = {
    ...{ userId, name: "Agent", prefix: "svc_abcdefgh", scopes: ["graph:read" as const] },
    ...{ workspaceIds: ["a"], expiresInDays: null, createdAt: 1 },
  };
  const ids: number[] = [];
  for (let index = 0; index < 4; index += 1) ids.push(await someConnection(database));
  const [older = 0, newer = 0, withdrawn = 0, removed = 0] = ids;
  const job: Omit<Job, "connectionId" | "leasedUntil"> = {
    ...{
      priority: 1,
      extent: "whole",
      named: [],
      dueAt: now,
      attempts: 0,
      followUp: null,
      worker: "a worker",
    },
  };
  await database.transaction(async (trx) => {
    for (const id of ["a session", "one that has ended"]) await openSession(trx, { ...session, id });
    await endSession(trx, "one that has ended", now);
    for (const expiresAt of [null, now])
      await insertServiceToken(trx, { ...token, hash: someHash(), expiresAt });
    const synced = { startedAt: 1, isComplete: true };
    await finishSync(trx, withdrawn, { ...synced, now: 10 });
    await finishSync(trx, older, { ...synced, now: 20 });
    await finishSync(trx, newer, { ...synced, now: 30 });
    await setNeedsReauth(trx, withdrawn, 40);
    await removeConnection(trx, removed, 40);
    await putJob(trx, { ...job, connectionId: older, leasedUntil: now + 1 });
    await putJob(trx, { ...job, connectionId: newer, leasedUntil: now });
  });
  assert.deepEqual(await stateNow(), {
    ...nothing,
    ...{ awaitedSyncs: 1, syncsUnderWay: 1, oldestSync: 20, usableTokens: 1, liveSessions: 1 },
    connections: [
      ["active", 2],
      ["needs_reauth", 1],
    ],
  });
});
