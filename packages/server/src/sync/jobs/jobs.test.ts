import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { idleJob, priorities, requestJob, type SyncRequest } from "../../connections/request-sync.ts";
import type { WriteTransaction } from "../../store/port.ts";
import { findConnection, finishSync, setNeedsReauth } from "../../store/queries/connections.ts";
import { findJob } from "../../store/queries/jobs.ts";
import { startProcess } from "../../store/testing/processes.ts";
import { scratchDatabase, someConnection } from "../../store/testing/scratch.ts";
import { endJob } from "../steps/finish.ts";
import { type ClaimSearch, claimJob, fenced, JobLost, releaseJob } from "./lease.ts";

const minute = 60_000;

const claimProcess = new URL("testing/claim-process.ts", import.meta.url).href;

/** A database with one connection that rests since `minute`, and what can be done with its job. */
async function stage(t: TestContext) {
  const { database, url } = await scratchDatabase(t);
  const connect = async () => {
    const id = await someConnection(database);
    await database.transaction((trx) =>
      finishSync(trx, id, { startedAt: minute, now: minute, isComplete: true }),
    );
    return id;
  };
  const id = await connect();
  const edit = <T>(work: (trx: WriteTransaction) => Promise<T>) => database.transaction(work);
  return {
    database,
    url,
    id,
    connect,
    edit,
    ask: (wish: SyncRequest, now: number, connectionId = id) =>
      edit((trx) => requestJob(trx, connectionId, wish, now)),
    claim: (worker: string, now: number, only: Partial<ClaimSearch> = {}) =>
      edit((trx) =>
        claimJob(trx, worker, {
          providers: ["some"],
          except: [],
          hasRoomFor: () => true,
          maxOvertakingNodes: 0,
          ...only,
          now,
        }),
      ),
    end: (
      now: number,
      kind: "first" | "incremental" | "full" = "incremental",
      secondLookAfter = 2 * minute,
    ) =>
      edit(async (trx) => {
        const job = await findJob(trx, id);
        assert.ok(job);
        await finishSync(trx, id, { startedAt: now, now, isComplete: true });
        await endJob(trx, job, { kind, now, secondLookAfter, rereadAt: null });
      }),
    job: () => findJob(database.read, id),
    state: async () => (await findConnection(database.read, id))?.sync.state,
  };
}

test("SYNC-9: a request is a job, and the connection says that it is queued", async (t) => {
  const { ask, job, state, id } = await stage(t);
  await ask({}, 5 * minute);
  const wish = { priority: 0, extent: "whole", named: [] };
  assert.deepEqual(await job(), { connectionId: id, ...wish, dueAt: 5 * minute, ...idleJob });
  assert.equal(await state(), "queued");
});

test("SYNC-8: a connection whose grant was withdrawn gets no job", async (t) => {
  const { ask, edit, job, id } = await stage(t);
  await edit((trx) => setNeedsReauth(trx, id, 1));
  await ask({}, 5 * minute);
  assert.equal(await job(), null);
});

test("SYNC-9: webhooks that come together cause one sync, and a person's request does not wait", async (t) => {
  const { ask, job, state } = await stage(t);
  await ask({ by: "webhook" }, minute + 1000);
  await ask({ by: "webhook" }, minute + 2000);
  assert.equal((await job())?.dueAt, minute + 11_000);
  assert.equal(await state(), "idle");
  await ask({ full: true }, minute + 3000);
  assert.equal((await job())?.dueAt, minute + 3000);
  assert.equal((await job())?.extent, "full");
  assert.equal((await job())?.priority, priorities.person);
  assert.equal(await state(), "queued");
});

test("SYNC-9: the job that a person waits for goes first, then the one that has been due longest", async (t) => {
  const { ask, claim, connect, id } = await stage(t);
  const [second, third] = [await connect(), await connect()];
  await ask({ by: "schedule" }, 3 * minute, second);
  await ask({ by: "schedule" }, 2 * minute, id);
  await ask({ by: "person" }, 4 * minute, third);
  const now = 5 * minute;
  assert.equal(await claim("w", now, { providers: ["other"] }), null, "of another provider's users");
  assert.equal((await claim("w", now))?.connectionId, third);
  assert.equal((await claim("w", now))?.connectionId, id);
  assert.equal((await claim("w", now))?.connectionId, second);
  assert.equal(await claim("w", now), null);
});

test("SYNC-9: a job belongs to one worker until its lease expires after 15 s, then to another", async (t) => {
  const { ask, claim, database, id } = await stage(t);
  await ask({}, 2 * minute);
  assert.ok(await claim("one", 2 * minute));
  assert.equal(await claim("other", 2 * minute + 14_999), null);
  const one = fenced(database, { connectionId: id, worker: "one" });
  await one.transaction(async () => {});
  assert.equal((await claim("other", 2 * minute + 15_000))?.attempts, 2);
  await assert.rejects(
    one.transaction((trx) => finishSync(trx, id, { startedAt: 7, now: 7, isComplete: true })),
    JobLost,
  );
  assert.equal((await findConnection(database.read, id))?.sync.finishedAt, minute);
});

test("SYNC-9: the write transactions of a worker run one after the other, also after one that failed", async (t) => {
  const { database, ask, claim, id } = await stage(t);
  await ask({}, 2 * minute);
  assert.ok(await claim("one", 2 * minute));
  let running = 0;
  const one = fenced(database, { connectionId: id, worker: "one" });
  const writing = [1, 2, 3, 4].map((number) =>
    one.transaction(async (trx) => {
      running += 1;
      assert.equal(running, 1);
      await finishSync(trx, id, { startedAt: number, now: number, isComplete: true });
      running -= 1;
      if (number === 2) throw new Error("undone");
    }),
  );
  const outcomes = (await Promise.allSettled(writing)).map(({ status }) => status);
  assert.deepEqual(outcomes, ["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  assert.equal((await findConnection(database.read, id))?.sync.finishedAt, 4);
});

test("SYNC-9: a worker asks the database for one write at a time", async (t) => {
  const { database, ask, claim, id } = await stage(t);
  await ask({}, 2 * minute);
  assert.ok(await claim("one", 2 * minute));
  let asked = 0;
  const counting: typeof database = {
    ...database,
    locked: async (lock, work) => {
      asked += 1;
      assert.equal(asked, 1);
      try {
        return await database.locked(lock, work);
      } finally {
        asked -= 1;
      }
    },
  };
  const one = fenced(counting, { connectionId: id, worker: "one" });
  const work = async () => "written";
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => one.transaction(work))), Array(3).fill("written"));
});

test("SYNC-9, OPS-6: three processes share the jobs, and when they are killed another one resumes all of them", async (t) => {
  const { url, ask, claim, connect, id } = await stage(t);
  const ids = [id];
  while (ids.length < 30) ids.push(await connect());
  for (const each of ids) await ask({}, 2 * minute, each);
  const processes = await Promise.all(
    ["one", "two", "three"].map((worker) => startProcess(t, claimProcess, url, worker, `${2 * minute}`)),
  );
  const claimed: number[] = [];
  const all = Promise.withResolvers<void>();
  for (const process of processes) {
    process.on("message", (claimedId) => {
      if (claimed.push(Number(claimedId)) === ids.length) all.resolve();
    });
    process.send("go");
  }
  await all.promise;
  for (const process of processes) process.kill("SIGKILL");
  assert.deepEqual(
    claimed.sort((a, b) => a - b),
    ids,
  );
  assert.equal(await claim("another", 2 * minute + 14_999), null);
  for (const _ of ids) assert.ok(await claim("another", 2 * minute + 15_000));
});

test("OPS-3: a released job can be resumed at once, and does not count as an attempt", async (t) => {
  const { ask, claim, edit, id } = await stage(t);
  await ask({}, 2 * minute);
  for (let time = 1; time <= 20; time += 1) {
    assert.equal((await claim("one", 2 * minute + time))?.attempts, 1);
    await edit((trx) => releaseJob(trx, { connectionId: id, worker: "other" }, 2 * minute));
    await edit((trx) => releaseJob(trx, { connectionId: id, worker: "one" }, 2 * minute + time));
  }
});

test("SYNC-9: a job that never completes is retried with growing delays, up to an hour", async (t) => {
  const { ask, claim } = await stage(t);
  await ask({}, 2 * minute);
  const begun: number[] = [];
  for (let now = 2 * minute; begun.length < 14; now += 15_000) if (await claim("w", now)) begun.push(now);
  const pauses = begun.slice(1).map((time, index) => (time - (begun[index] ?? 0)) / minute);
  assert.deepEqual(pauses, [0.25, 0.25, 0.25, 0.25, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("GRAPH-15: a request that the running sync already covers joins it", async (t) => {
  const { ask, claim, end, job, state } = await stage(t);
  await ask({ by: "schedule" }, 2 * minute);
  await claim("w", 2 * minute);
  await ask({ by: "schedule" }, 2 * minute + 1);
  await end(3 * minute);
  assert.equal(await job(), null);
  assert.equal(await state(), "idle");
});

for (const { name, wish, next } of [
  { name: "an edit", wish: { by: "person" }, next: { extent: "whole", dueAt: 3 * minute, priority: 0 } },
  { name: "everything", wish: { full: true }, next: { extent: "full", dueAt: 3 * minute, priority: 0 } },
  { name: "other pages", wish: { by: "sign-in" }, next: { extent: "whole", dueAt: 3 * minute, priority: 0 } },
  {
    name: "a hint",
    wish: { by: "webhook" },
    next: { extent: "whole", dueAt: 3 * minute + 10_000, priority: priorities.webhook },
  },
  {
    name: "an edit that a watch has noticed",
    wish: { by: "watch" },
    next: { extent: "whole", dueAt: 3 * minute, priority: priorities.watch },
  },
] as const)
  test(`SYNC-9, SRC-2: what the running sync may miss is read after it: ${name}`, async (t) => {
    const { ask, claim, end, job, state, id } = await stage(t);
    await ask({ by: "schedule" }, 2 * minute);
    await claim("w", 2 * minute);
    await ask(wish, 2 * minute + 1);
    await end(3 * minute);
    assert.deepEqual(await job(), { connectionId: id, ...idleJob, named: [], ...next });
    assert.equal(await state(), next.dueAt > 3 * minute ? "idle" : "queued");
  });

for (const kind of ["first", "full", "incremental"] as const)
  test(`GRAPH-15: requests during a ${kind} sync make one sync that follows, full if one of them is`, async (t) => {
    const { ask, claim, end, job } = await stage(t);
    await ask({ by: "schedule", full: kind === "full" }, 2 * minute);
    await claim("w", 2 * minute);
    for (const wish of [{}, { full: true }, { by: "webhook" }, {}] as const) await ask(wish, 2 * minute + 1);
    assert.equal(
      (await job())?.extent,
      kind === "full" ? "full" : "whole",
      "the running sync stays what it is",
    );
    await end(3 * minute, kind);
    const next = await job();
    assert.deepEqual([next?.extent, next?.dueAt, next?.followUp], ["full", 3 * minute, null]);
    await claim("w", 3 * minute);
    await end(4 * minute, "full");
    assert.equal(await job(), null);
  });

test("SYNC-1: a first sync is followed by a look at what search did not list yet", async (t) => {
  const { ask, claim, end, job, state } = await stage(t);
  await ask({}, 2 * minute);
  await claim("w", 2 * minute);
  await end(3 * minute, "first");
  const next = await job();
  assert.deepEqual([next?.dueAt, next?.extent, next?.priority], [5 * minute, "full", priorities.schedule]);
  assert.equal(await state(), "idle");
  await claim("w", 5 * minute);
  await end(6 * minute, "full");
  assert.equal(await job(), null);
});
