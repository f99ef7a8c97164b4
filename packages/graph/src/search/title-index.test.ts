import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rankOrder } from "./title-index.ts";

const arbitraryNode = fc.record({
  degree: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 200_000 })),
  updatedAt: fc.oneof(
    fc.nat({ max: 2 }),
    fc.integer(),
    fc.constant(-0),
    fc.integer({ min: 1, max: 2 ** 45 }),
  ),
});

test("GRAPH-2: higher degrees rank first, then later updates, then lower ids", () => {
  fc.assert(
    fc.property(fc.array(arbitraryNode), (nodes) => {
      const order = rankOrder(
        Uint32Array.from(nodes, ({ degree }) => degree),
        Float64Array.from(nodes, ({ updatedAt }) => updatedAt),
      );
      const expected = nodes
        .map((node, index) => ({ ...node, index }))
        .toSorted((a, b) => b.degree - a.degree || b.updatedAt - a.updatedAt || a.index - b.index)
        .map(({ index }) => index);
      assert.deepEqual([...order], expected);
    }),
  );
});
