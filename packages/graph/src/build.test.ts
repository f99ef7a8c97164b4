import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeTypes } from "@clew/contract/vocabulary";
import fc from "fast-check";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { modelBreadcrumb, modelDegree, modelOf } from "./testing/graph-model.ts";
import { id, page, reference, unlimited } from "./testing/samples.ts";
import { neighbors } from "./walk/neighbors.ts";

test("GRAPH-4: a node has the fields that it was built with", () => {
  const node = page(1, {
    type: "database",
    title: "\uFEFFÜnïcödé 🧵 ",
    icon: "🧵",
    url: "https://www.notion.so/x",
    createdAt: 1_700_000_000_123,
    updatedAt: 8_640_000_000_000_000,
  });
  const graph = buildGraph({
    nodes: [node, page(2, { parentId: id(1), title: "", icon: "" })],
    references: [],
  });
  assert.deepEqual(graph.node(id(1)), node);
  assert.deepEqual(graph.node(id(2)), page(2, { parentId: id(1), title: "", icon: "" }));
});

test("GRAPH-4: a node that the graph does not have is null, and asking about its edges is an error", () => {
  const graph = buildGraph({ nodes: [page(1), page(16)], references: [] });
  for (const unknown of [
    id(0),
    id(2),
    "",
    "not an id",
    id(1).replace(/1$/, "g"),
    id(1).toUpperCase().replaceAll("-", "_"),
    `${id(1)}0`,
  ]) {
    assert.equal(graph.has(unknown), false);
    assert.equal(graph.node(unknown), null);
    assert.throws(() => graph.degree(unknown), RangeError);
    assert.throws(() => graph.edgesByType(unknown), RangeError);
    assert.throws(() => graph.breadcrumb(unknown), RangeError);
  }
});

test("GRAPH-1: an empty graph has no nodes and no edges", () => {
  const graph = buildGraph({ nodes: [], references: [reference(1, 2)] });
  assert.equal(graph.nodeCount, 0);
  assert.equal(graph.edgeCount, 0);
  assert.equal(graph.has(id(1)), false);
});

test("GRAPH-4: degree counts distinct edges, including child, without references to itself", () => {
  const graph = buildGraph({
    nodes: [page(1), page(2, { parentId: id(1) }), page(3)],
    references: [
      reference(1, 2, "link"),
      reference(1, 2, "link"),
      reference(1, 2, "mention"),
      reference(1, 2, "relation", { name: "A" }),
      reference(1, 2, "relation", { name: "B" }),
      reference(1, 1, "link"),
      reference(2, 1, "link"),
      reference(1, 99, "link"),
    ],
  });
  assert.deepEqual(graph.degree(id(1)), { in: 1, out: 5 });
  assert.deepEqual(graph.degree(id(2)), { in: 5, out: 1 });
  assert.deepEqual(graph.degree(id(3)), { in: 0, out: 0 });
  assert.deepEqual(graph.edgesByType(id(1)), {
    child: { in: 0, out: 1 },
    mention: { in: 0, out: 1 },
    link: { in: 1, out: 1 },
    relation: { in: 0, out: 2 },
  });
  assert.equal(graph.edgeCount, 6, "no edge leads to itself or to a page that is not there");
});

test("GRAPH-7: equal references are one edge, and their occurrences are summed up to 32 bits", () => {
  const most = 0xffff_ffff;
  const count = (...counts: number[]) =>
    neighbors(
      buildGraph({
        nodes: [page(1), page(2)],
        references: counts.map((each) => reference(1, 2, "link", { count: each })),
      }),
      id(1),
      { direction: "out", depth: 1, offset: 0, limit: 1, limits: unlimited },
    ).items[0]?.edges.map((edge) => edge.count);
  assert.deepEqual(count(2, 3, 4), [9]);
  assert.deepEqual(count(most, 5), [most]);
});

test("GRAPH-4: a breadcrumb starts at the root and excludes the node itself", () => {
  const graph = buildGraph({
    nodes: [page(5), page(3, { parentId: id(5) }), page(4, { parentId: id(3) })],
    references: [],
  });
  assert.deepEqual(
    graph.breadcrumb(id(4)).map((node) => node.id),
    [id(5), id(3)],
  );
  assert.deepEqual(graph.breadcrumb(id(5)), []);
  assert.deepEqual(
    graph.breadcrumb(id(4), 1).map((node) => node.id),
    [id(3)],
  );
});

test("GRAPH-4: a breadcrumb ends if parents form a cycle", () => {
  const graph = buildGraph({
    nodes: [
      page(1, { parentId: id(2) }),
      page(2, { parentId: id(1) }),
      page(3, { parentId: id(1) }),
      page(4, { parentId: id(4) }),
    ],
    references: [],
  });
  const crumbs = (n: number) => graph.breadcrumb(id(n)).map((node) => node.id);
  assert.deepEqual(crumbs(1), [id(2)]);
  assert.deepEqual(crumbs(3), [id(2), id(1)]);
  assert.deepEqual(crumbs(4), []);
});

test("GRAPH-4: a chain of thirty thousand parents does not overflow the stack", () => {
  const length = 30_000;
  const nodes = Array.from({ length }, (_, n) => page(n, { parentId: n === 0 ? null : id(n - 1) }));
  assert.equal(buildGraph({ nodes, references: [] }).breadcrumb(id(length - 1)).length, length - 1);
});

test("GRAPH-4: a parent that is not in the graph counts as none", () => {
  const graph = buildGraph({ nodes: [page(1, { parentId: id(9) })], references: [] });
  assert.equal(graph.node(id(1))?.parentId, null);
  assert.equal(graph.edgeCount, 0);
});

test("a node that comes twice or has a malformed id is refused", () => {
  assert.throws(() => buildGraph({ nodes: [page(1), page(2), page(1)], references: [] }), RangeError);
  assert.throws(() => buildGraph({ nodes: [page(1, { id: "home" })], references: [] }), RangeError);
});

test("GRAPH-4: a graph equals its plain model, whatever the order of its input", () => {
  const anyInput = arbitraryGraph(6).chain(({ nodes, references }) =>
    fc.record({
      nodes: fc.shuffledSubarray([...nodes], { minLength: nodes.length - 1 }),
      references: fc.shuffledSubarray([...references], { minLength: references.length }),
    }),
  );
  fc.assert(
    fc.property(anyInput, (input) => {
      const [graph, model] = [buildGraph(input), modelOf(input)];
      assert.equal(graph.nodeCount, model.nodes.length);
      assert.equal(graph.edgeCount, model.edges.length);
      for (const node of model.nodes) {
        assert.deepEqual(graph.node(node.id), node);
        assert.deepEqual(graph.degree(node.id), modelDegree(model, node.id));
        assert.deepEqual(
          graph.edgesByType(node.id),
          Object.fromEntries(edgeTypes.map((type) => [type, modelDegree(model, node.id, type)])),
        );
        assert.deepEqual(
          graph.breadcrumb(node.id).map((ancestor) => ancestor.id),
          modelBreadcrumb(model, node.id),
        );
      }
    }),
    { numRuns: 300 },
  );
});
