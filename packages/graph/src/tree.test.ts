import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { at, narrowAt } from "./columns.ts";
import type { Graph } from "./graph.ts";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { modelBreadcrumb, modelOf } from "./testing/graph-model.ts";
import { id, numberOf, page } from "./testing/samples.ts";
import { subtreeOf } from "./tree.ts";

/** The nodes below a node and itself, in preorder. */
function subtree({ columns: { tree } }: Graph, n: number): number[] {
  const { from, to } = subtreeOf(tree, n);
  return [...tree.order.subarray(from, to)];
}

test("GRAPH-25: nodes come before what is in them, siblings by folded title, then id", () => {
  const graph = buildGraph({
    nodes: [
      page(0, { title: "b" }),
      page(1, { title: "É", parentId: id(0) }),
      page(2, { title: "a" }),
      page(3, { title: "e", parentId: id(0) }),
      page(4, { title: "z", parentId: id(1) }),
      page(5, { title: "D", parentId: id(0) }),
    ],
    references: [],
  });
  const { order, childCounts } = graph.columns.tree;
  assert.deepEqual([...order], [2, 0, 5, 1, 4, 3]);
  assert.deepEqual([...childCounts], [3, 1, 0, 0, 0, 0]);
  assert.deepEqual(subtree(graph, 0), [0, 5, 1, 4, 3]);
});

test("GRAPH-25: a chain of thirty thousand parents does not overflow the stack", () => {
  const length = 30_000;
  const nodes = Array.from({ length }, (_, n) => page(n, { parentId: n === 0 ? null : id(n - 1) }));
  assert.equal(subtree(buildGraph({ nodes, references: [] }), 1).length, length - 1);
});

test("GRAPH-19: a node is below exactly those in its breadcrumb, even in a cycle of parents", () => {
  fc.assert(
    fc.property(arbitraryGraph(8), (input) => {
      const [graph, model] = [buildGraph(input), modelOf(input)];
      for (const top of model.nodes) {
        const expected = model.nodes
          .filter(({ id: other }) => other === top.id || modelBreadcrumb(model, other).includes(top.id))
          .map((node) => numberOf(node.id));
        const found = subtree(graph, numberOf(top.id)).sort((a, b) => a - b);
        assert.deepEqual(found, expected);
      }
    }),
    { numRuns: 500 },
  );
});

test("GRAPH-25: every node is in preorder once, behind its parent unless that closes a cycle, with its children counted", () => {
  fc.assert(
    fc.property(arbitraryGraph(8), (input) => {
      const { order, positions, ends, childCounts, cycleRoots } = buildGraph(input).columns.tree;
      const { nodes } = modelOf(input);
      assert.deepEqual(
        [...order].sort((a, b) => a - b),
        nodes.map((_, n) => n),
      );
      for (const [n, { parentId }] of nodes.entries()) {
        assert.equal(at(order, at(positions, n)), n);
        const isTop = parentId === null || cycleRoots.includes(n);
        const parent = isTop ? -1 : numberOf(parentId);
        if (!isTop) assert.ok(at(positions, parent) < at(positions, n) && at(ends, n) <= at(ends, parent));
        const children = nodes.filter(
          (child, c) => child.parentId === id(n) && !cycleRoots.includes(c),
        ).length;
        assert.equal(narrowAt(childCounts, n), children);
      }
    }),
    { numRuns: 300 },
  );
});
