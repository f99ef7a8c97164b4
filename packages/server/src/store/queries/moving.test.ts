import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { everybody } from "../../model/testing/allow-lists.ts";
import { scratchDatabase, someConnection, someUser } from "../testing/scratch.ts";
import { deleteOldAudit, insertAudit } from "./audit.ts";
import { connectionsDue, finishSync, setNeedsReauth, withdrawnConnections } from "./connections.ts";
import { findJob, putJob } from "./jobs.ts";
import { leaseMap } from "./maps.ts";
import { countLeasedSyncs, endLeases, findMarked, isAnyoneMoving, republish, setMark } from "./moving.ts";
import { accessLifetimeMs, openSession, purgeSessions } from "./sessions.ts";

/** Two people with a connection each, whose syncs and maps a worker has until the time 100. */
async function open(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const people = [await someUser(database), await someUser(database)] as const;
  const connections = [
    await someConnection(database, people[0]),
    await someConnection(database, people[1]),
  ] as const;
  const job = { priority: 1, extent: "whole", named: [], dueAt: 10, attempts: 0, followUp: null } as const;
  await database.transaction(async (trx) => {
    for (const connectionId of connections) {
      await putJob(trx, { ...job, connectionId, worker: "a worker", leasedUntil: 100 });
      await leaseMap(trx, { connectionId, worker: "a worker" }, { now: 1, until: 100 });
    }
  });
  return { database, people, connections };
}

test("OPS-13: a person is marked from one value to another, and not twice with different ones", async (t) => {
  const { database, people } = await open(t);
  const [one] = people;
  const mark = (from: number | null, to: number | null) =>
    database.transaction((trx) => setMark(trx, one, { from, to }));
  assert.equal(await isAnyoneMoving(database.read), false);
  assert.equal(await mark(null, 2), true);
  assert.equal(await mark(null, 2), true, "a move that is repeated");
  assert.equal(await mark(null, 3), false);
  assert.equal((await findMarked(database.read, one))?.moving, 2);
  assert.equal((await findMarked(database.read, people[1]))?.moving, null);
  assert.equal(await isAnyoneMoving(database.read), true);
  assert.equal(await mark(2, null), true);
  assert.equal(await isAnyoneMoving(database.read), false);
  assert.equal(await findMarked(database.read, "no such person"), null);
});

test("OPS-13: the syncs of one person are counted while their lease lasts, and their leases end alone", async (t) => {
  const { database, people, connections } = await open(t);
  const leased = (now: number) =>
    Promise.all(people.map((person) => countLeasedSyncs(database.read, person, now)));
  assert.deepEqual(
    [await leased(99), await leased(100)],
    [
      [1, 1],
      [0, 0],
    ],
  );
  await database.transaction((trx) => endLeases(trx, people[0]));
  assert.deepEqual(await leased(99), [0, 1]);
  const [own, other] = await Promise.all(connections.map((id) => findJob(database.read, id)));
  assert.deepEqual([own?.worker, own?.leasedUntil], [null, null]);
  assert.deepEqual([other?.worker, other?.leasedUntil], ["a worker", 100]);
  const lease = (connectionId: number) =>
    database.transaction((trx) => leaseMap(trx, { connectionId, worker: "another" }, { now: 50, until: 60 }));
  assert.deepEqual([await lease(connections[0]), await lease(connections[1])], [true, false], "of maps too");
});

test("OPS-13: of the graphs of one person, those that were published are looked at by the text index again", async (t) => {
  const { database, people, connections } = await open(t);
  const unpublished = await someConnection(database, people[0]);
  await database.transaction((trx) =>
    trx
      .updateTable("connections")
      .set({ published_revision: 5, published_at: 50 })
      .where("id", "in", connections)
      .execute(),
  );
  await database.transaction((trx) => republish(trx, people[0], 70));
  const rows = await database.read.selectFrom("connections").select(["id", "published_at"]).execute();
  const publishedAt = new Map(rows.map(({ id, published_at }) => [id, published_at]));
  const [own, other] = connections;
  assert.deepEqual(
    [own, other, unpublished].map((id) => publishedAt.get(id)),
    [70, 50, null],
  );
});

test("OPS-13: what is done for all people leaves out those who are being moved, until they are there", async (t) => {
  const { database } = await scratchDatabase(t);
  const [moving, settled] = [await someUser(database), await someUser(database)];
  const [due, withdrawn] = [new Map<number, string>(), new Map<number, string>()];
  for (const userId of [moving, settled]) {
    due.set(await someConnection(database, userId), userId);
    withdrawn.set(await someConnection(database, userId), userId);
  }
  await database.transaction(async (trx) => {
    for (const id of due.keys()) await finishSync(trx, id, { startedAt: 1, now: 1, isComplete: true });
    for (const id of withdrawn.keys()) await setNeedsReauth(trx, id, 1);
    for (const userId of [moving, settled]) {
      await insertAudit(trx, [{ userId, at: 1, event: "signed_in" }]);
      await openSession(trx, { id: userId, userId, userAgent: null, createdAt: 1, refreshExpiresAt: 2 });
    }
  });
  /** Does it all, and returns the people about whom it is: those of each list, and the number of those whose rows were deleted. */
  const run = async () => {
    const { read, transaction, record } = database;
    const dueIds = await connectionsDue(read, { allowed: everybody, endedBefore: 1 });
    return {
      due: dueIds.map((id) => due.get(id)),
      withdrawn: (await withdrawnConnections(read, 1)).map(({ id }) => withdrawn.get(id)),
      events: await record((trx) => deleteOldAudit(trx, 2, 100)),
      sessions: await transaction((trx) => purgeSessions(trx, 2 + accessLifetimeMs)),
    };
  };
  const mark = (from: number | null, to: number | null) =>
    database.transaction((trx) => setMark(trx, moving, { from, to }));
  await mark(null, 2);
  assert.deepEqual(await run(), { due: [settled], withdrawn: [settled], events: 1, sessions: 1 });
  await mark(2, null);
  const all = [moving, settled];
  assert.deepEqual(await run(), { due: all, withdrawn: all, events: 1, sessions: 1 });
});
