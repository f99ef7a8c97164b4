import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Graph } from "./graph.ts";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { modelImportance, modelOf } from "./testing/graph-model.ts";
import { id, linked, page, reference } from "./testing/samples.ts";

const importanceOfAll = (graph: Graph) =>
  Array.from({ length: graph.nodeCount }, (_, n) => graph.importance(id(n)));

test("GRAPH-20: importance is the share of the other nodes with a lower PageRank, to four decimals", () => {
  // 0 and 1 link to 2, which links to 3: everything flows there.
  assert.deepEqual(
    importanceOfAll(
      linked(4, [
        [0, 2],
        [1, 2],
        [2, 3],
      ]),
    ),
    [0, 0, 0.6667, 1],
  );
});

test("GRAPH-20: a node alone and nodes without any difference have importance 0", () => {
  assert.deepEqual(importanceOfAll(linked(1, [])), [0]);
  assert.deepEqual(importanceOfAll(linked(3, [])), [0, 0, 0]);
  const ring = [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const;
  assert.deepEqual(importanceOfAll(linked(3, ring)), [0, 0, 0]);
});

test("GRAPH-20: an edge to a subpage weighs a tenth of a link", () => {
  const graph = buildGraph({
    nodes: [page(0), page(1, { parentId: id(0) }), page(2)],
    references: [reference(0, 2)],
  });
  assert.deepEqual(importanceOfAll(graph), [0, 0.5, 1]);
});

test("GRAPH-20: importance equals that of the plain model", () => {
  fc.assert(
    fc.property(arbitraryGraph(8), (input) => {
      const [graph, model] = [buildGraph(input), modelOf(input)];
      for (const [node, { least, most }] of modelImportance(model).entries()) {
        const importance = graph.importance(id(node));
        assert.ok(least <= importance && importance <= most, `${least} ${importance} ${most}`);
      }
    }),
    { numRuns: 300 },
  );
});
