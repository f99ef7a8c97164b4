import assert from "node:assert/strict";
import { test } from "node:test";
import { fold } from "@clew/text/basics";
import fc from "fast-check";
import { compareByCodePoint } from "./orders.ts";
import { anyTitle } from "./testing/arbitrary-search.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { page, reference } from "./testing/samples.ts";

const codePoints = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0);

/** Compares code point by code point, the slow way. */
function compareModel(a: string, b: string): number {
  const [one, other] = [codePoints(a), codePoints(b)];
  const first = one.findIndex((point, index) => point !== other[index]);
  if (first < 0) return one.length - other.length;
  return (one[first] ?? 0) - (other[first] ?? -1);
}

// Between them, code units and code points differ in order: U+FFFD is before U+1F680.
const oddCharacter = fc.constantFrom("\ufffd", "\ue000", "🚀", "𐐔", "a", "퟿");
const anyText = fc.oneof(
  anyTitle,
  fc.array(oddCharacter, { maxLength: 3 }).map((some) => some.join("")),
);

test("GRAPH-19: titles are in the order of their folded code points, equal ones by id, aliases aside", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText, fc.option(anyText))), (titles) => {
      const nodes = titles.map(([title, alias], n) =>
        page(n, { title, ...(alias === null ? {} : { aliases: [alias] }) }),
      );
      const expected = titles
        .map(([title], n) => ({ n, folded: fold(title) }))
        .sort((a, b) => compareModel(a.folded, b.folded) || a.n - b.n)
        .map(({ n }) => n);
      assert.deepEqual([...buildGraph({ nodes, references: [] }).columns.orders.title], expected);
    }),
    { numRuns: 500 },
  );
});

test("GRAPH-19: texts compare by code point", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      assert.equal(Math.sign(compareByCodePoint(a, b)), Math.sign(compareModel(a, b)));
    }),
  );
});

test("GRAPH-19: orders ascend, and nodes with equal values are in the order of ids", () => {
  const graph = buildGraph({
    nodes: [
      page(0, { updatedAt: 2, createdAt: -1 }),
      page(1, { updatedAt: 1, createdAt: 5 }),
      page(2, { updatedAt: 2, createdAt: -3 }),
    ],
    references: [reference(0, 1), reference(2, 1), reference(2, 0)],
  });
  const { updated, created, degree, importance } = graph.columns.orders;
  assert.deepEqual([...updated], [1, 0, 2]);
  assert.deepEqual([...created], [2, 0, 1]);
  assert.deepEqual([...degree], [0, 1, 2]);
  assert.deepEqual([...importance], [2, 0, 1]);
});

test("GRAPH-28: ranks go by importance, then latest update, then id", () => {
  const graph = buildGraph({
    nodes: [page(0), page(1, { updatedAt: 1 }), page(2), page(3, { updatedAt: 1 })],
    references: [reference(0, 2)],
  });
  const best = [...graph.columns.ranks.keys()].sort(
    (a, b) => (graph.columns.ranks[a] ?? 0) - (graph.columns.ranks[b] ?? 0),
  );
  assert.deepEqual(best, [2, 1, 3, 0]);
});
