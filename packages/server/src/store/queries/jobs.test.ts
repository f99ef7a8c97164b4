import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../port.ts";
import { page, scratchDatabase, someConnection, someUser } from "../testing/scratch.ts";
import { upsertNodes } from "./graph-pages.ts";
import {
  areJobsLeft,
  findJob,
  hasJob,
  includes,
  type Job,
  type JobSearch,
  nextJob,
  putJob,
  renewLeases,
} from "./jobs.ts";
import { setMark } from "./moving.ts";

const put = (database: Database, connectionId: number, given: Partial<Job> = {}) =>
  database.transaction((trx) =>
    putJob(trx, {
      connectionId,
      priority: 1,
      extent: "whole",
      named: [],
      dueAt: 10,
      attempts: 0,
      followUp: null,
      worker: null,
      leasedUntil: null,
      ...given,
    }),
  );

test("OPS-8: jobs are left if one has been due for a while and no worker holds a lease", async (t) => {
  const { database } = await scratchDatabase(t);
  const [one, other] = [await someConnection(database), await someConnection(database)];
  const areLeft = (dueBefore: number, now: number) => areJobsLeft(database.read, { dueBefore, now });
  assert.equal(await areLeft(100, 100), false, "there is none");
  await put(database, one);
  assert.deepEqual([await areLeft(9, 20), await areLeft(10, 20)], [false, true]);
  await put(database, other, { dueAt: 50, worker: "w", leasedUntil: 30 });
  assert.deepEqual([await areLeft(10, 29), await areLeft(10, 30)], [false, true], "until the lease ends");
});

test("SYNC-9: a worker renews the leases of its own jobs alone, and of no person who is being moved", async (t) => {
  const { database } = await scratchDatabase(t);
  const moved = await someUser(database);
  const [mine, ended, theirs, left, leaving] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database, moved),
  ] as const;
  for (const [id, worker] of [
    [mine, "me"],
    [ended, null],
    [theirs, "another"],
    [left, "me"],
    [leaving, "me"],
  ] as const)
    await put(database, id, { worker, leasedUntil: worker === null ? null : 30 });
  await database.transaction((trx) => setMark(trx, moved, { from: null, to: 2 }));
  const renewed = await database.record((trx) => renewLeases(trx, "me", [mine, ended, theirs, leaving], 90));
  assert.deepEqual(renewed, [mine]);
  const jobs = await Promise.all(
    [mine, ended, theirs, left, leaving].map((id) => findJob(database.read, id)),
  );
  assert.deepEqual(
    jobs.map((job) => [job?.worker, job?.leasedUntil]),
    [
      ["me", 90],
      [null, null],
      ["another", 30],
      ["me", 30],
      ["me", 30],
    ],
  );
  const has = (id: number, worker: string) => database.transaction((trx) => hasJob(trx, id, worker));
  assert.deepEqual(
    [await has(mine, "me"), await has(theirs, "me"), await has(theirs, "another")],
    [true, false, true],
  );
});

test("GRAPH-15: a job comes back as it was written, with and without the one that is to follow", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const job: Job = {
    connectionId: id,
    priority: 2,
    extent: "full",
    named: [{ of: "page", id: "a" }],
    dueAt: 20,
    attempts: 3,
    followUp: { priority: 4, extent: "edits", named: [{ of: "page", id: "b" }] },
    worker: "me",
    leasedUntil: 50,
  };
  assert.equal(await findJob(database.read, id), null);
  await put(database, id, job);
  assert.deepEqual(await findJob(database.read, id), job);
  const last: Job = { ...job, extent: "named", followUp: null };
  await put(database, id, last);
  assert.deepEqual(await findJob(database.read, id), last);
  const followed: Job = { ...last, followUp: { priority: 1, extent: "whole", named: [] } };
  await put(database, id, followed);
  assert.deepEqual(await findJob(database.read, id), followed);
});

test("SYNC-9: the next job is due, has no worker with a valid lease, and is no larger than its worker may take", async (t) => {
  const { database } = await scratchDatabase(t);
  const moved = await someUser(database);
  const [late, low, small, large, running, future, leaving] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database, moved),
  ] as const;
  await put(database, late, { dueAt: 20 });
  await put(database, low, { priority: 2, dueAt: 1 });
  await put(database, small, { dueAt: 10 });
  await put(database, large, { dueAt: 10 });
  await put(database, running, { priority: 0, worker: "another", leasedUntil: 50 });
  await put(database, future, { priority: 0, dueAt: 60 });
  await put(database, leaving, { priority: 0, dueAt: 1 });
  await database.transaction(async (trx) => {
    await upsertNodes(trx, small, [page(1), page(2)]);
    await upsertNodes(trx, large, [page(1), page(2), page(3)]);
    await setMark(trx, moved, { from: null, to: 2 });
  });
  const search = { providers: ["none", "some"], now: 49, maxNodes: null, except: [] };
  const next = async (given: Partial<JobSearch> = {}) =>
    (await database.transaction((trx) => nextJob(trx, { ...search, ...given })))?.connectionId ?? null;
  assert.equal(await next(), small);
  assert.equal(await next({ except: [small] }), large);
  assert.equal(await next({ except: [small], maxNodes: 2 }), late);
  assert.equal(await next({ maxNodes: 2 }), small);
  assert.equal(await next({ except: [small, large, late] }), low);
  assert.equal(await next({ except: [small, large, late, low] }), null);
  assert.equal(await next({ providers: ["none"] }), null);
  assert.equal(await next({ now: 50 }), running, "its lease is over");
  assert.equal(await next({ now: 60, except: [running] }), future);
  const found = await database.transaction((trx) => nextJob(trx, search));
  assert.deepEqual(found, { ...(await findJob(database.read, small)), provider: "some" });
});

test("SYNC-11: each extent has all of itself and of those before it", () => {
  const extents = ["named", "edits", "whole", "full"] as const;
  assert.deepEqual(
    extents.map((one) => extents.filter((other) => includes(one, other))),
    extents.map((_, index) => extents.slice(0, index + 1)),
  );
});
