import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Graph } from "./graph.ts";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { modelOf, modelTree } from "./testing/graph-model.ts";
import { id, numberOf, page } from "./testing/samples.ts";
import { listTree, type TreeOptions } from "./tree-list.ts";

/** All pages of a tree, each from where the one before ended. */
function allPages(graph: Graph, options: Omit<TreeOptions, "from">) {
  const items: ReturnType<typeof listTree> = [];
  for (let from: number | undefined; ; ) {
    const found = listTree(graph, { ...options, from, limit: options.limit + 1 });
    items.push(...found.slice(0, options.limit));
    const next = found[options.limit];
    if (next === undefined) return items;
    from = next.position;
  }
}

const outline = (graph: Graph, options: Partial<TreeOptions>) =>
  allPages(graph, { depth: 10, limit: 3, ...options }).map(({ node, depth }) => [depth, node]);

test("GRAPH-25: rows are counted and not listed, unless they are asked for by their database", () => {
  const graph = buildGraph({
    nodes: [
      page(0, { title: "Home" }),
      page(1, { title: "Tasks", type: "database", parentId: id(0) }),
      page(2, { title: "Row", parentId: id(1) }),
      page(3, { title: "In the row", parentId: id(2) }),
      page(4, { title: "Zoo", parentId: id(0) }),
    ],
    references: [],
  });
  assert.deepEqual(outline(graph, {}), [
    [1, 0],
    [2, 1],
    [2, 4],
  ]);
  const [home, tasks] = listTree(graph, { depth: 2, limit: 9 });
  assert.deepEqual([home?.children, home?.below, tasks?.children, tasks?.below], [2, 4, 1, 2]);
  assert.deepEqual(outline(graph, { under: id(0) }), [
    [1, 1],
    [1, 4],
  ]);
  assert.deepEqual(outline(graph, { under: id(1) }), [
    [1, 2],
    [2, 3],
  ]);
  assert.deepEqual(outline(graph, { under: id(4) }), []);
  assert.throws(() => outline(graph, { under: id(9) }), RangeError);
});

test("GRAPH-25: a cycle of parents is listed once, from the page with the lowest id", () => {
  const graph = buildGraph({
    nodes: [
      page(1, { parentId: id(3) }),
      page(2, { parentId: id(1) }),
      page(3, { parentId: id(2) }),
      page(4),
    ],
    references: [],
  });
  assert.deepEqual(outline(graph, {}), [
    [1, 0],
    [2, 1],
    [3, 2],
    [1, 3],
  ]);
});

test("GRAPH-25: page after page, the tree equals that of the plain model", () => {
  const anyTree = arbitraryGraph(9).chain((input) => {
    const titles = fc.array(fc.constantFrom("a", "B", "b", "é"), { minLength: 9, maxLength: 9 });
    const options = fc.record({
      depth: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: 9 }),
      under: fc.option(fc.nat({ max: 8 }).map(id), { nil: undefined }),
    });
    return fc.tuple(titles, options).map(([some, given]) => {
      // Parents come before their children, so there are no cycles.
      const nodes = input.nodes.map((node, n) => {
        const isAbove = node.parentId !== null && numberOf(node.parentId) < n;
        return { ...node, title: some[n] ?? "", parentId: isAbove ? node.parentId : null };
      });
      return { input: { ...input, nodes }, options: given };
    });
  });
  fc.assert(
    fc.property(anyTree, ({ input, options }) => {
      const found = allPages(buildGraph(input), options).map(({ node, depth, children, below }) => ({
        id: id(node),
        depth,
        children,
        below,
      }));
      assert.deepEqual(found, modelTree(modelOf(input), options));
    }),
    { numRuns: 500 },
  );
});
