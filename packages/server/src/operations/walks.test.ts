import assert from "node:assert/strict";
import { test } from "node:test";
import { walkLimits } from "./walks.ts";

test("GRAPH-9: a walk may take 100 ms from its start", () => {
  let now = 5_000.5;
  const budget = walkLimits(() => now);
  assert.equal(budget.expired(), false);
  now += 99;
  assert.equal(budget.expired(), false);
  now += 1;
  assert.equal(budget.expired(), true);
  assert.equal(walkLimits(() => now).expired(), false);
});

test("GRAPH-9: a walk is limited in nodes as well", () => {
  const { visits } = walkLimits(() => 0);
  assert.ok(Number.isInteger(visits) && visits > 0);
});
