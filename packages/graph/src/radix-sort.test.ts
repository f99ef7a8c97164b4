import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { identityOrder } from "./columns.ts";
import { sortByFloats, sortByNumbers } from "./radix-sort.ts";

const arbitraryNode = fc.record({
  degree: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 200_000 }), fc.integer({ min: 0, max: 0xffff_ffff })),
  updatedAt: fc.oneof(
    fc.nat({ max: 2 }),
    fc.integer(),
    fc.constant(-0),
    fc.integer({ min: 1, max: 2 ** 45 }),
  ),
});

const directions = ["ascending", "descending"] as const;

function assertSorted(
  nodes: readonly { readonly degree: number; readonly updatedAt: number }[],
  direction: (typeof directions)[number],
): void {
  const sign = direction === "ascending" ? 1 : -1;
  const degrees = Uint32Array.from(nodes, ({ degree }) => degree);
  const times = Float64Array.from(nodes, ({ updatedAt }) => updatedAt);
  const byTime = sortByFloats(identityOrder(nodes.length), times, direction);
  const expected = nodes
    .map((node, index) => ({ ...node, index }))
    .toSorted(
      (a, b) => sign * (a.degree - b.degree) || sign * (a.updatedAt - b.updatedAt) || a.index - b.index,
    )
    .map(({ index }) => index);
  assert.deepEqual([...sortByNumbers(byTime, degrees, direction)], expected);
}

for (const direction of directions) {
  test(`GRAPH-2: sorted by two columns, ${direction}, nodes of equal values keep their order`, () => {
    fc.assert(fc.property(fc.array(arbitraryNode), (nodes) => assertSorted(nodes, direction)));
  });
}

test("GRAPH-2: more nodes, which are sorted by longer digits, have the same order", () => {
  const nodes = fc.sample(arbitraryNode, 200);
  const many = Array.from({ length: 0x1_0000 }, (_, index) => nodes[index % nodes.length] ?? assert.fail());
  for (const direction of directions) assertSorted(many, direction);
});
