import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeTypes } from "@clew/contract/vocabulary";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import { arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph } from "../testing/graph-input.ts";
import { modelOf } from "../testing/graph-model.ts";
import { id, linked, numberOf, page, reference, unlimited } from "../testing/samples.ts";
import { edgesAmong } from "./edges-among.ts";
import { maxEdges } from "./neighbors.ts";

function among(
  graph: Graph,
  numbers: readonly number[],
  options: Partial<Parameters<typeof edgesAmong>[2]> = {},
) {
  const { edges, truncated } = edgesAmong(graph, numbers.map(id), { limits: unlimited, ...options });
  return { truncated, edges: edges.map((edge) => graph.edge(edge)) };
}

test("GRAPH-31: the edges among nodes are those that a plain model finds, in its order", () => {
  const size = 8;
  const some = fc.array(fc.nat({ max: size - 1 }), { maxLength: 2 * size });
  const types = fc.option(fc.subarray([...edgeTypes]), { nil: undefined });
  fc.assert(
    fc.property(arbitraryGraph(size), some, types, (input, numbers, wanted) => {
      const ids = new Set(numbers.map(id));
      const expected = modelOf(input).edges.filter(
        ({ from, to, type }) => ids.has(from) && ids.has(to) && (wanted?.includes(type) ?? true),
      );
      const found = among(buildGraph(input), numbers, { edgeTypes: wanted });
      assert.deepEqual(found, { truncated: false, edges: expected });
    }),
  );
});

test("GRAPH-31: the edges between a hub and other nodes are found without reading all of its edges", () => {
  const graph = linked(
    100_001,
    Array.from({ length: 100_000 }, (_, n) => [0, n + 1] as const),
  );
  let looks = 0;
  const expired = () => {
    looks += 1;
    return looks > 2;
  };
  const { truncated, edges } = among(graph, [0, 5, 99_999], { limits: { visits: 10, expired } });
  assert.equal(truncated, false);
  assert.deepEqual(
    edges.map(({ from, to }) => [numberOf(from), numberOf(to)]),
    [
      [0, 5],
      [0, 99_999],
    ],
  );
});

test("GRAPH-9: the edges among nodes are limited by their number and by time, and the answer says so", () => {
  const references = Array.from({ length: maxEdges + 1 }, (_, n) =>
    reference(0, 1, "relation", { name: `Name ${n}` }),
  );
  const { truncated, edges } = among(buildGraph({ nodes: [page(0), page(1)], references }), [0, 1]);
  assert.deepEqual([truncated, edges.length], [true, maxEdges]);
  const limits = { visits: 10, expired: () => true };
  assert.deepEqual(among(linked(2, [[0, 1]]), [0, 1], { limits }), { truncated: true, edges: [] });
});
