import assert from "node:assert/strict";
import { test } from "node:test";
import { neighbors } from "@clew/graph";
import { id, linked } from "@clew/graph/testing";
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

test("GRAPH-9: a process that is paused cuts no short walk, and ends a long one", () => {
  const walkIn = (size: number) => {
    let now = 0;
    const limits = walkLimits(() => {
      now += 200;
      return now;
    });
    const links = Array.from({ length: size - 1 }, (_, n) => [0, n + 1] as const);
    const options = { direction: "both", depth: 1, offset: 0, limit: size, limits } as const;
    const { items, truncated } = neighbors(linked(size, links), id(0), options);
    return { isWhole: items.length === size - 1, truncated };
  };
  assert.deepEqual(walkIn(3), { isWhole: true, truncated: false });
  assert.deepEqual(walkIn(5_000), { isWhole: false, truncated: true });
});

test("GRAPH-9: a walk is limited in nodes as well", () => {
  const { visits } = walkLimits(() => 0);
  assert.ok(Number.isInteger(visits) && visits > 0);
});
