import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ThreadError } from "./errors.ts";
import { ReadingLanes } from "./reading-lanes.ts";
import { readingLimitMs } from "./reading-limit.ts";
import type { StubCall, StubResult } from "./testing/stub-worker.ts";

type Lanes = ReadingLanes<StubCall, StubResult, string>;

function lanesFor(t: TestContext, limitMs: (length: number) => number, quickThreads = 2): Lanes {
  const module = new URL("./testing/stub-worker.ts", import.meta.url);
  const lanes: Lanes = new ReadingLanes({ module, quickThreads, limitMs, maxHeapMb: 64 });
  t.after(() => lanes.close());
  return lanes;
}

const alice = {};
const bob = {};

const failsAs = (failure: ThreadError["failure"]) => (error: unknown) =>
  error instanceof ThreadError && error.failure === failure;

/** Counts the threads that start during a test. */
function countThreads(t: TestContext): () => number {
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on("worker", count);
  t.after(() => process.off("worker", count));
  return () => threads;
}

test("SYNC-5: a text may take a second of processor time, and one more for each 64 KiB", () => {
  assert.deepEqual([0, 65_536, 5 * 1024 * 1024].map(readingLimitMs), [1_000, 2_000, 81_000]);
});

test("SYNC-5: a text that has used a second continues in the slow lane after the parts that it sent, up to its limit", async (t) => {
  const lanes = lanesFor(t, () => 1_500);
  const parts: string[] = [];
  const from: number[] = [];
  const reading = lanes.read({
    owner: alice,
    length: 1,
    callFrom(skip) {
      from.push(skip);
      return { parts: skip === 0 ? ["one", "two"] : ["three"], act: "never end" };
    },
    onPart: (part) => parts.push(part),
  });
  await assert.rejects(reading, failsAs("slow"));
  assert.deepEqual(
    [from, parts],
    [
      [0, 2],
      ["one", "two", "three"],
    ],
  );
});

test("SYNC-5: the slow lane answers what a second was not enough for", async (t) => {
  const lanes = lanesFor(t, () => 60_000);
  const result = await lanes.read({
    owner: alice,
    length: 1,
    callFrom: (skip) => ({ parts: ["one"], act: skip === 0 ? "never end" : "answer" }),
  });
  assert.equal(result, "slow");
});

test("SRC-2: no owner waits for a text that does not end, or for all texts of another owner", async (t) => {
  const lanes = lanesFor(t, () => 60_000);
  const stop = new AbortController();
  const ends: string[] = [];
  const read = (owner: object, name: string, act: StubCall["act"], signal?: AbortSignal) =>
    lanes.read({ owner, length: 1, callFrom: () => ({ parts: [], act }), signal }).then(
      () => ends.push(name),
      () => ends.push(`${name} fails`),
    );
  const endless = Array.from({ length: 4 }, (_, index) =>
    read(alice, `endless ${index}`, "never end", stop.signal),
  );
  await read(bob, "bob", "answer");
  assert.deepEqual(ends, ["bob"]);
  stop.abort();
  await Promise.all(endless);
});

test("SYNC-5: a text that needs too much memory fails alone, and the next one is read", async (t) => {
  const lanes = lanesFor(t, () => 60_000, 1);
  const read = (act: StubCall["act"]) =>
    lanes.read({ owner: alice, length: 1, callFrom: () => ({ parts: [], act }) });
  const [full, next] = await Promise.allSettled([read("fill the memory"), read("answer")]);
  assert.ok(full.status === "rejected" && failsAs("memory")(full.reason));
  assert.ok(next.status === "fulfilled" && next.value === "quick");
});

test("SYNC-5: a reading that is aborted ends its thread, and does not keep the next one waiting", async (t) => {
  const threads = countThreads(t);
  const lanes = lanesFor(t, () => 60_000, 1);
  const stop = new AbortController();
  const aborted = lanes.read({
    owner: alice,
    length: 1,
    callFrom: () => ({ parts: ["begun"], act: "never end" }),
    onPart: () => stop.abort(new Error("the sync ends")),
    signal: stop.signal,
  });
  await assert.rejects(aborted, /the sync ends/);
  assert.equal(
    await lanes.read({ owner: alice, length: 1, callFrom: () => ({ parts: [], act: "answer" }) }),
    "quick",
  );
  assert.equal(threads(), 2);
});

test("SYNC-5: the memory that a long text needed is not kept beside the readings after it", async (t) => {
  const threads = countThreads(t);
  const lanes = lanesFor(t, readingLimitMs);
  const read = (length: number) =>
    lanes.read({ owner: alice, length, callFrom: () => ({ parts: [], act: "answer" }) });
  for (const length of [1, 1]) await read(length);
  assert.equal(threads(), 1);
  for (const length of [2_000_000, 1]) await read(length);
  assert.equal(threads(), 2);
});
