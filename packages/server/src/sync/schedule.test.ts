import assert from "node:assert/strict";
import { test } from "node:test";
import { finishSync, setNeedsReauth, setSyncProgress } from "../store/connections.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { createSchedule } from "./schedule.ts";

const unexpected = (error: unknown) => assert.fail(String(error));

test("SYNC-9: a connection is due once its interval has passed since the last sync ended", async (t) => {
  const { database } = await scratchDatabase(t);
  const [rested, failed, busy, withdrawn] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ];
  await database.transaction(async (trx) => {
    await finishSync(trx, rested, 1_000);
    await setSyncProgress(trx, failed, { state: "failed", finishedAt: 5_000 });
    await setSyncProgress(trx, busy, { state: "running", finishedAt: null });
    await finishSync(trx, withdrawn, 1_000);
    await setNeedsReauth(trx, withdrawn);
  });
  let now = 0;
  const asked: number[] = [];
  const sync = { request: async (id: number) => void asked.push(id) };
  const schedule = createSchedule({
    database,
    sync,
    clock: () => now,
    interval: 10_000,
    onError: unexpected,
  });
  t.after(() => schedule.stop());
  for (const [time, due] of [
    [10_999, []],
    [11_000, [rested]],
    [15_000, [rested, failed]],
  ] as const) {
    now = time;
    asked.length = 0;
    await schedule.look();
    assert.deepEqual(asked, due);
  }
});
