import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncOutcome } from "@clew/contract";
import { createVirtualTime } from "./testing/virtual-time.ts";
import { WatchPauses } from "./watch-pauses.ts";

/** Pauses in virtual time. */
function stage() {
  const time = createVirtualTime();
  const pauses = new WatchPauses(time.sleep);
  /** The time that a watch of a connection waits as it begins, in seconds; null if it asks for no sync. */
  const begins = async (outcome: SyncOutcome | null, id = 1) => {
    const start = time.clock();
    return (await time.run(pauses.wait(id, outcome))) ? (time.clock() - start) / 1_000 : null;
  };
  return { ...time, pauses, begins };
}

test("SYNC-5: a watch that begins again and again asks for a sync after pauses that grow to an hour", async () => {
  const { begins } = stage();
  assert.equal(await begins("incomplete"), 0, "as Clew starts, whatever the last sync was");
  const waited = [];
  for (let time = 0; time < 12; time += 1)
    waited.push(await begins(time % 2 === 0 ? "failed" : "incomplete"));
  assert.deepEqual(waited, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
  assert.equal(await begins("failed", 2), 0, "another connection does not wait");
});

test("SYNC-5: after a sync that ended complete, a watch that begins again waits for nothing", async () => {
  const { begins } = stage();
  for (const outcome of [null, "complete", "complete"] as const) assert.equal(await begins(outcome), 0);
  for (const seconds of [5, 10]) assert.equal(await begins("incomplete"), seconds);
  assert.equal(await begins("complete"), 0);
  assert.equal(await begins("incomplete"), 5);
});

test("SYNC-5: a change ends the pause, and the next one is short again", async () => {
  const { begins, pauses, run, sleep, clock } = stage();
  for (const seconds of [0, 5, 10, 20]) assert.equal(await begins("failed"), seconds);
  const start = clock();
  const waiting = pauses.wait(1, "failed");
  assert.equal(await begins("failed"), null, "the one that waits is enough");
  await run(sleep(1_000));
  pauses.noteChange(1);
  assert.equal(await run(waiting), true);
  assert.equal(clock() - start, 1_000);
  assert.equal(await begins("failed"), 0);
});

test("OPS-3: no pause outlasts Clew", async () => {
  const { begins, pauses, run } = stage();
  for (let time = 0; time < 9; time += 1) await begins("failed");
  const waiting = pauses.wait(1, "failed");
  pauses.stop();
  assert.equal(await run(waiting), false);
  assert.equal(await begins("failed"), null);
});
