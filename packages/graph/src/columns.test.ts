import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { narrowAt, narrowed } from "./columns.ts";
import { labelAt } from "./edge.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { page, reference } from "./testing/samples.ts";

const anyNumber = fc.oneof(
  fc.nat({ max: 0xff }),
  fc.nat({ max: 0x1_0001 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);

test("a narrow column holds the same numbers in the fewest bytes", () => {
  fc.assert(
    fc.property(fc.array(anyNumber), (numbers) => {
      const column = narrowed(Uint32Array.from(numbers));
      const largest = Math.max(0, ...numbers);
      assert.deepEqual([...column], numbers);
      const fewest = [1, 2, 4].find((bytes) => largest < 2 ** (8 * bytes));
      assert.equal(column.BYTES_PER_ELEMENT, fewest);
    }),
  );
});

test("GRAPH-7: edges keep their names and occurrences, however many there are", () => {
  for (const factor of [0, 1, 300, 1_000_000]) {
    const expected = Array.from({ length: 300 }, (_, number) => ({
      name: `Name ${String(number).padStart(3, "0")}`,
      count: 1 + number * factor,
    }));
    const references = expected.map((each) => reference(1, 2, "relation", each));
    const { columns } = buildGraph({ nodes: [page(1), page(2)], references });
    for (const { labels, counts } of [columns.out, columns.in]) {
      const edges = expected.map((_, edge) => ({
        name: labelAt(columns.labels, narrowAt(labels, edge)).name,
        count: narrowAt(counts, edge),
      }));
      assert.deepEqual(edges, expected);
    }
  }
});
