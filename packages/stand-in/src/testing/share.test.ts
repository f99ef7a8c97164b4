import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions, share } from "./share.ts";

const cases = Array.from({ length: 40 }, (_, index) => index);
const isWhole = process.env.TEST_WHOLE === "1";

test("a share has as many cases as it should, in their order, and the same ones for the same seed", () => {
  const drawn = share("one family", cases, 12);
  assert.equal(drawn.length, isWhole ? 40 : 12);
  assert.deepEqual(
    drawn,
    drawn.toSorted((one, other) => one - other),
  );
  assert.deepEqual(share("one family", cases, 12), drawn);
  if (!isWhole) assert.notDeepEqual(share("another family", cases, 12), drawn);
});

test("a share of fewer cases than it may have is all of them", () => {
  assert.deepEqual(share("a small family", cases, 41), cases);
  assert.equal(repetitions(2, 9), isWhole ? 9 : 2);
});
