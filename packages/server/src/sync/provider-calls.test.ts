import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { forEachConcurrently } from "./provider-calls.ts";

test("SYNC-4: work is limited in concurrency, and all of it is done", async () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await forEachConcurrently(items, 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
    done.push(item);
    if (item === 7) items.push(20);
  });
  assert.equal(most, 3);
  assert.deepEqual(
    done.sort((a, b) => a - b),
    items,
  );
});

test("SYNC-5: after a failure no new work begins, and running work ends first", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const failure = new Error("no");
  const working = forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw failure;
    await setImmediate();
    ended.push(item);
  });
  await assert.rejects(working, failure);
  assert.deepEqual(begun, [1, 2]);
  assert.deepEqual(ended, [2]);
});
