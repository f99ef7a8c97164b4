import assert from "node:assert/strict";
import { test } from "node:test";
import { estimate, signTest } from "./statistics.ts";

test("the interval of nine ratios is from the second to the eighth", () => {
  assert.deepEqual(estimate([9, 1, 8, 2, 7, 3, 6, 4, 5]), { median: 5, low: 2, high: 8 });
});

test("the interval is that of the sign test's tables, and the median of an even number lies between two ratios", () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const intervals = [6, 10, 12, 20].map((count) => estimate(upTo(count)));
  assert.deepEqual(intervals, [
    { median: 3.5, low: 1, high: 6 },
    { median: 5.5, low: 2, high: 9 },
    { median: 6.5, low: 3, high: 10 },
    { median: 10.5, low: 6, high: 15 },
  ]);
  assert.throws(() => estimate(upTo(5)), /at least 6 ratios/);
});

test("the sign test has the probabilities of its tables", () => {
  assert.equal(signTest(0, 0), 1);
  assert.equal(signTest(5, 5), 1);
  assert.equal(signTest(6, 0), 2 / 64);
  assert.equal(signTest(1, 8), (2 * (1 + 9)) / 512);
});
