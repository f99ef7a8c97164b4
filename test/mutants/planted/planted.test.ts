import assert from "node:assert/strict";
import { test } from "node:test";
import { countTo, price } from "./planted.ts";

test("children pay nothing, and older people half", () => {
  assert.deepEqual(
    [5, 6, 64, 65].map((age) => price(age)),
    [0, 10, 10, 5],
  );
});

test("counts", () => {
  assert.equal(countTo(3), 3);
});
