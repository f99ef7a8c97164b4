import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someConnection } from "../testing/scratch.ts";
import { areJobsLeft, type Job, putJob } from "./jobs.ts";

test("OPS-8: jobs are left if one has been due for a while and no worker holds a lease", async (t) => {
  const { database } = await scratchDatabase(t);
  const [one, other] = [await someConnection(database), await someConnection(database)];
  const put = (connectionId: number, given: Partial<Job>) =>
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
  const areLeft = (dueBefore: number, now: number) => areJobsLeft(database.read, { dueBefore, now });
  assert.equal(await areLeft(100, 100), false, "there is none");
  await put(one, {});
  assert.deepEqual([await areLeft(9, 20), await areLeft(10, 20)], [false, true]);
  await put(other, { dueAt: 50, worker: "w", leasedUntil: 30 });
  assert.deepEqual([await areLeft(10, 29), await areLeft(10, 30)], [false, true], "until the lease ends");
});
