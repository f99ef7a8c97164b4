import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import { arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph } from "../testing/graph-input.ts";
import { modelOf, modelRelated } from "../testing/graph-model.ts";
import { id, linked, numberOf, page, unlimited } from "../testing/samples.ts";
import { maxOwnEdges, type RelatedOptions, related } from "./related.ts";

function relatedTo(graph: Graph, of: number, options: Partial<RelatedOptions> = {}) {
  const { items, truncated } = related(graph, id(of), {
    linked: false,
    limit: 50,
    limits: unlimited,
    ...options,
  });
  return { items, truncated, nodes: items.map(({ node }) => node) };
}

test("GRAPH-21: nodes that link to the same nodes, or that the same nodes link to, are related", () => {
  const graph = linked(6, [
    [0, 2],
    [1, 2],
    [0, 3],
    [1, 3],
    [4, 0],
    [4, 5],
  ]);
  const { items, truncated } = relatedTo(graph, 0);
  assert.equal(truncated, false);
  assert.deepEqual(
    items.map(({ node, reasons }) => [node, reasons]),
    [
      [1, [{ type: "same_targets", count: 2, via: [2, 3] }]],
      [5, [{ type: "same_sources", count: 1, via: [4] }]],
    ],
  );
  // All three shared nodes have two edges.
  const scores = items.map(({ score }) => score.toFixed(6));
  assert.deepEqual(scores, ["0.666667", "0.333333"]);
});

test("GRAPH-21: a twin has a score of 1, and a shared node with many edges counts less", () => {
  const spokes = Array.from({ length: 40 }, (_, n) => [n + 10, 3] as const);
  const graph = linked(60, [[0, 2], [0, 3], [1, 2], [1, 3], [4, 2], [5, 3], ...spokes]);
  const { items } = relatedTo(graph, 0);
  assert.deepEqual([items[0]?.node, items[0]?.score], [1, 1]);
  const scoreOf = (node: number) => items.find((item) => item.node === node)?.score ?? 0;
  assert.ok(scoreOf(4) > scoreOf(5));
  const [few, many] = [1 / Math.log(2 + 3), 1 / Math.log(2 + 43)];
  assert.ok(Math.abs(scoreOf(4) - few / (few + many)) < 1e-12);
});

test("GRAPH-21: what is linked directly is listed only if asked for, and a node is not related to itself", () => {
  const graph = linked(4, [
    [0, 1],
    [0, 2],
    [1, 2],
    [3, 2],
    [0, 0],
  ]);
  assert.deepEqual(relatedTo(graph, 0).nodes, [3]);
  assert.deepEqual(relatedTo(graph, 0, { linked: true }).nodes, [1, 3]);
});

test("GRAPH-21: a second search finds what the first one found", () => {
  const graph = linked(4, [
    [0, 2],
    [1, 2],
    [3, 2],
  ]);
  for (const round of [1, 2]) assert.deepEqual(relatedTo(graph, 3).nodes, [0, 1], `round ${round}`);
});

test("GRAPH-21: subpages make nothing related", () => {
  const nodes = [page(0), page(1, { parentId: id(0) }), page(2, { parentId: id(0) })];
  assert.deepEqual(relatedTo(buildGraph({ nodes, references: [] }), 1).nodes, []);
});

test("GRAPH-21: a node with more than a thousand edges is not walked through", () => {
  const pages = (edges: number) => Array.from({ length: edges }, (_, n) => [n + 2, 1] as const);
  const of = (edges: number) => relatedTo(linked(edges + 2, pages(edges)), 2, { limit: 1 }).nodes;
  assert.deepEqual(of(1000), [3]);
  assert.deepEqual(of(1001), []);
  for (const target of [0, 1099]) {
    const twins = linked(1100, [...pages(1050), [2, target], [3, target]]);
    assert.deepEqual(relatedTo(twins, 2).items, [
      { node: 3, score: 1, reasons: [{ type: "same_targets", count: 1, via: [target] }] },
    ]);
  }
});

test("GRAPH-21: via has up to three nodes, those with the fewest edges first", () => {
  const shared = [2, 3, 4, 5].flatMap((n) => [[0, n] as const, [1, n] as const]);
  const graph = linked(20, [...shared, [10, 2], [11, 2], [12, 3]]);
  assert.deepEqual(relatedTo(graph, 0).items[0]?.reasons, [
    { type: "same_targets", count: 4, via: [4, 5, 3] },
  ]);
});

test("GRAPH-9: a search that its budget ends says so, and has seen what counts most", () => {
  const graph = linked(40, [
    [0, 1],
    [0, 2],
    [3, 1],
    ...Array.from({ length: 30 }, (_, n) => [n + 5, 2] as const),
  ]);
  const cut = relatedTo(graph, 0, { limits: { visits: 4, expired: () => false } });
  assert.deepEqual([cut.nodes, cut.truncated], [[3, 5].slice(0, cut.nodes.length), true]);
  assert.equal(cut.nodes[0], 3);
  const late = relatedTo(graph, 0, { limits: { visits: 1e6, expired: () => true } });
  assert.deepEqual([late.nodes, late.truncated], [[], true]);
  assert.equal(relatedTo(graph, 0).nodes.length, 31, "and nothing is left of the search that was cut");
});

test("GRAPH-9: of a hub, only the first edges are looked at, and what is linked with it is still left out", () => {
  const last = maxOwnEdges + 2;
  // Each page links to the hub. The first and the last one are also linked with a page that is not.
  const graph = linked(last + 1, [
    ...Array.from({ length: maxOwnEdges + 1 }, (_, n) => [n + 1, 0] as const),
    [1, last],
    [1, maxOwnEdges + 1],
    [maxOwnEdges + 1, last],
  ]);
  const { items, truncated } = relatedTo(graph, 0);
  assert.equal(truncated, true);
  assert.deepEqual(
    items.map(({ node, reasons }) => [node, reasons]),
    [[last, [{ type: "same_sources", count: 1, via: [1] }]]],
  );
  const { nodes } = relatedTo(graph, 0, { linked: true });
  assert.deepEqual(nodes, [maxOwnEdges + 1, last]);
  assert.equal(relatedTo(graph, 1).truncated, false);
  const asMany = Array.from({ length: maxOwnEdges }, (_, n) => [n + 1, 0] as const);
  assert.equal(relatedTo(linked(maxOwnEdges + 1, asMany), 0).truncated, false, "no edge is left out");
});

test("GRAPH-21: related nodes equal those of the plain model", () => {
  fc.assert(
    fc.property(
      arbitraryGraph(8),
      fc.nat(7),
      fc.boolean(),
      fc.integer({ min: 1, max: 8 }),
      (input, of, linked, limit) => {
        const { items } = relatedTo(buildGraph(input), of, { linked, limit });
        const expected = modelRelated(modelOf(input), id(of), linked).slice(0, limit);
        assert.deepEqual(
          items.map(({ node, reasons }) => ({ id: id(node), reasons })),
          expected.map(({ id, reasons }) => ({
            id,
            reasons: reasons.map(({ via, ...reason }) => ({ ...reason, via: via.map(numberOf) })),
          })),
        );
        for (const [index, { score }] of items.entries())
          assert.ok(Math.abs(score - (expected[index]?.score ?? 0)) < 1e-9);
      },
    ),
    { numRuns: 500 },
  );
});
