import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeTraits, nodeTypes, searchSorts, sortOrders } from "@clew/contract";
import { fold } from "@clew/text/basics";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import type { NodeOrders } from "../orders.ts";
import { arbitrarySearch } from "../testing/arbitrary-search.ts";
import { buildGraph, type GraphInput } from "../testing/graph-input.ts";
import { modelDegree, modelOf, modelPasses } from "../testing/graph-model.ts";
import { id, numberOf, page, reference } from "../testing/samples.ts";
import { modelSearch } from "../testing/search-model.ts";
import { compareListKeys, type ListOptions, list } from "./list.ts";

/** All pages of a list, each taken after the last item of the one before. */
function allPages(graph: Graph, options: ListOptions) {
  const { items: first, total } = list(graph, options);
  const items = [...first];
  for (let found = first; found.length === options.limit; ) {
    const next = list(graph, { ...options, after: found.at(-1)?.key });
    assert.equal(next.total, total);
    found = next.items;
    items.push(...found);
  }
  assert.equal(items.length, total);
  return items;
}

const numbers = (graph: Graph, options: Partial<ListOptions>) =>
  allPages(graph, { filter: {}, sort: "updated", order: "desc", limit: 2, ...options }).map(
    ({ node }) => node,
  );

test("GRAPH-19: descending lists have nodes of equal values in the order of ids, too", () => {
  const graph = buildGraph({
    nodes: [3, 1, 3, 1, 2].map((updatedAt, n) => page(n, { updatedAt, title: `${updatedAt % 2}` })),
    references: [],
  });
  assert.deepEqual(numbers(graph, { order: "desc" }), [0, 2, 4, 1, 3]);
  assert.deepEqual(numbers(graph, { order: "asc" }), [1, 3, 4, 0, 2]);
  assert.deepEqual(
    numbers(graph, { sort: "title", order: "desc" }),
    [0, 1, 2, 3, 4].toSorted((a, b) => Number(a === 4) - Number(b === 4)),
  );
  assert.deepEqual(numbers(graph, { sort: "title", order: "asc" }), [4, 0, 1, 2, 3]);
});

test("GRAPH-19: a span of time includes its start and not its end", () => {
  const graph = buildGraph({
    nodes: [1, 2, 3, 4].map((time, n) => page(n, { updatedAt: time, createdAt: -time })),
    references: [],
  });
  assert.deepEqual(numbers(graph, { filter: { updatedAfter: 2, updatedBefore: 4 }, order: "asc" }), [1, 2]);
  assert.deepEqual(numbers(graph, { filter: { createdAfter: -3, createdBefore: -1 }, order: "asc" }), [1, 2]);
});

test("GRAPH-19: everything below a node is under it, and so is the node itself", () => {
  const graph = buildGraph({
    nodes: [page(0), page(1, { parentId: id(0) }), page(2, { parentId: id(1) }), page(3)],
    references: [reference(3, 2)],
  });
  const under = (n: number) => numbers(graph, { filter: { under: id(n) }, order: "asc" });
  assert.deepEqual([under(0), under(1), under(3)], [[0, 1, 2], [1, 2], [3]]);
  assert.throws(() => under(9), RangeError);
});

const anyTime = fc.option(fc.nat({ max: 5 }), { nil: undefined });
const anyFilter = (size: number) =>
  fc.record({
    type: fc.option(fc.constantFrom(...nodeTypes), { nil: undefined }),
    under: fc.option(fc.nat({ max: size - 1 }).map(id), { nil: undefined }),
    updatedAfter: anyTime,
    updatedBefore: anyTime,
    createdAfter: anyTime,
    createdBefore: anyTime,
    is: fc.subarray([...nodeTraits], { maxLength: 1 }),
    isNot: fc.subarray([...nodeTraits], { maxLength: 1 }),
  });

const anyList = arbitrarySearch.chain(({ input, query, limit }) =>
  fc.record({
    input: fc.constant(withFewTimes(input)),
    query: fc.option(fc.constant(query), { nil: undefined }),
    filter: fc.oneof(fc.constant({}), anyFilter(input.nodes.length)),
    sort: fc.constantFrom(...searchSorts.filter((sort) => sort !== "relevance")),
    order: fc.constantFrom(...sortOrders),
    limit: fc.constant(limit),
  }),
);

const withFewTimes = ({ nodes, references }: GraphInput): GraphInput => ({
  nodes: nodes.map((node) => ({ ...node, updatedAt: node.updatedAt % 6, createdAt: node.createdAt % 6 })),
  references,
});

test("GRAPH-19: page after page, a list equals that of the plain model", () => {
  fc.assert(
    fc.property(anyList, ({ input, ...options }) => {
      const [graph, model] = [buildGraph(input), modelOf(input)];
      const sortValue = (nodeId: string): number | string => {
        const { updatedAt, createdAt, title } = model.nodes[numberOf(nodeId)] ?? page(0);
        const degree = modelDegree(model, nodeId);
        const values: Record<keyof NodeOrders, number | string> = {
          updated: updatedAt,
          created: createdAt,
          title: fold(title),
          degree: degree.in + degree.out,
          importance: graph.importance(nodeId),
        };
        return values[options.sort];
      };
      const matches = options.query === undefined ? null : modelSearch(model, options.query);
      const expected = model.nodes
        .filter((node) => matches === null || matches.some((match) => match.id === node.id))
        .filter((node) => modelPasses(input, node.id, options.filter))
        .map((node) => ({ id: node.id, value: sortValue(node.id) }))
        .sort(compareListKeys(options.order));
      const found = allPages(graph, options);
      assert.deepEqual(
        found.map(({ node }) => id(node)),
        expected.map((key) => key.id),
      );
      for (const { node, best } of found)
        assert.equal(best?.match, matches?.find((match) => match.id === id(node))?.match);
    }),
    { numRuns: 500 },
  );
});
