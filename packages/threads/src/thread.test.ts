import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ThreadError } from "./errors.ts";
import type { MarkedWork, MarkingData } from "./testing/marking-worker.ts";
import { Thread } from "./thread.ts";
import { WorkMark } from "./work-mark.ts";

/** A thread whose pieces of work are ended after 50 ms of processor time, and left out by the next one. */
function markingThread(t: TestContext) {
  const mark = new WorkMark();
  const slow: string[] = [];
  const ends: ThreadError[] = [];
  const thread = new Thread<MarkedWork, readonly string[]>({
    module: new URL("./testing/marking-worker.ts", import.meta.url),
    get workerData(): MarkingData {
      return { mark: mark.shared, leftOut: [...slow] };
    },
    work: { mark, limitMs: 50, onSlow: (name) => slow.push(name) },
    onEnded: (error) => ends.push(error),
  });
  t.after(() => thread.terminate());
  return { thread, mark, slow, ends };
}

const isSlow = (error: unknown) => error instanceof ThreadError && error.failure === "slow";

test("SYNC-5: a thread that does not come back from a piece of work is ended, with the name of that work", async (t) => {
  const { thread, mark, slow, ends } = markingThread(t);
  const calls = await Promise.allSettled([thread.call(["one", "endless", "two"]), thread.call(["behind"])]);
  assert.deepEqual(
    calls.map((call) => call.status === "rejected" && isSlow(call.reason)),
    [true, true],
    "what waits for the thread fails too",
  );
  assert.deepEqual([slow, ends.map(isSlow)], [["endless"], [true]]);
  assert.deepEqual(
    await thread.call(["one", "endless", "two"]),
    ["one", "two"],
    "the next one leaves it out",
  );
  assert.equal(mark.current(), null);
  assert.equal(ends.length, 1);
});

test("SYNC-5: pieces of work that each end are not ended, however many there are", async (t) => {
  const { thread, slow } = markingThread(t);
  // Enough for two looks at what it is at.
  const names = Array.from({ length: 300 }, (_, index) => `work ${index}`);
  assert.equal((await thread.call(names)).length, names.length);
  assert.deepEqual(slow, []);
});
