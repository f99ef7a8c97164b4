import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { nodeTypes } from "@clew/contract/vocabulary";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import { arbitraryFilter, arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph } from "../testing/graph-input.ts";
import { modelNeighbors, modelOf } from "../testing/graph-model.ts";
import { hub, id, linked, numberOf, page, reference, unlimited } from "../testing/samples.ts";
import { maxEdges, type NeighborsOptions, neighbors } from "./neighbors.ts";

/** All neighbours of node 0, one step away in both directions, unless options say otherwise. */
function around(graph: Graph, options: Partial<NeighborsOptions> & { of?: number } = {}) {
  const { of = 0, ...rest } = options;
  const { items, ...found } = neighbors(graph, id(of), {
    direction: "both",
    depth: 1,
    offset: 0,
    limit: 1_000_000,
    limits: unlimited,
    ...rest,
  });
  const read = items.map(({ node, depth, edges }) => ({
    node: graph.nodeAt(node),
    depth,
    edges: edges.map((edge) => graph.edge(edge)),
  }));
  return { ...found, items: read };
}

const numbers = ({ items }: ReturnType<typeof around>) => items.map(({ node }) => numberOf(node.id));

test("GRAPH-7: direction follows edges out, in, or both", () => {
  const graph = linked(4, [
    [0, 3],
    [0, 1],
    [2, 0],
    [1, 0],
  ]);
  assert.deepEqual(numbers(around(graph, { direction: "out" })), [1, 3]);
  assert.deepEqual(numbers(around(graph, { direction: "in" })), [1, 2]);
  assert.deepEqual(numbers(around(graph, { direction: "both" })), [1, 3, 2]);
});

test("GRAPH-7: nearest first, each node once, at the depth at which it is first reached", () => {
  const graph = linked(6, [
    [0, 2],
    [0, 3],
    [2, 5],
    [3, 4],
    [3, 5],
    [5, 0],
    [4, 1],
  ]);
  const { items } = around(graph, { direction: "out", depth: 3 });
  assert.deepEqual(
    items.map(({ node, depth }) => [numberOf(node.id), depth]),
    [
      [2, 1],
      [3, 1],
      [5, 2],
      [4, 2],
      [1, 3],
    ],
  );
});

test("GRAPH-7: a node is never its own neighbour", () => {
  const graph = linked(2, [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
  ]);
  assert.deepEqual(numbers(around(graph, { depth: 3 })), [1]);
  assert.deepEqual(
    around(graph).items[0]?.edges.map(({ from, to }) => [numberOf(from), numberOf(to)]),
    [
      [0, 1],
      [1, 0],
    ],
  );
});

test("GRAPH-7: edges are those between the item and nodes one step nearer", () => {
  const graph = linked(4, [
    [0, 1],
    [0, 2],
    [1, 2],
    [1, 3],
    [2, 3],
    [3, 1],
  ]);
  const third = (direction: "out" | "both") =>
    around(graph, { direction, depth: 2 }).items[2]?.edges.map(({ from, to }) => [
      numberOf(from),
      numberOf(to),
    ]);
  assert.deepEqual(third("out"), [
    [1, 3],
    [2, 3],
  ]);
  assert.deepEqual(third("both"), [
    [1, 3],
    [2, 3],
    [3, 1],
  ]);
});

test("GRAPH-7: backlinks are the incoming edges of the given types", () => {
  const graph = buildGraph({
    nodes: [page(0, { parentId: id(1) }), page(1), page(2), page(3)],
    references: [
      reference(1, 0, "mention"),
      reference(2, 0, "link", { count: 3 }),
      reference(3, 0, "relation", { name: "Project" }),
      reference(0, 3, "link"),
    ],
  });
  const { items } = around(graph, { direction: "in", edgeTypes: ["link", "mention"] });
  assert.deepEqual(
    items.flatMap(({ edges }) => edges),
    [
      { from: id(1), to: id(0), type: "mention", name: null, count: 1 },
      { from: id(2), to: id(0), type: "link", name: null, count: 3 },
    ],
  );
  assert.deepEqual(around(graph, { edgeTypes: [] }).items, []);
});

test("GRAPH-7: node_type filters what is listed, not what the walk passes through", () => {
  const graph = buildGraph({
    nodes: [page(0), page(1, { type: "database" }), page(2), page(3, { type: "database" })],
    references: [reference(0, 1), reference(1, 2), reference(2, 3)],
  });
  assert.deepEqual(numbers(around(graph, { depth: 3, nodeTypes: ["page"] })), [2]);
  assert.deepEqual(numbers(around(graph, { depth: 3, nodeTypes: ["database"] })), [1, 3]);
});

test("GRAPH-9: a page of a hub with 100 000 edges costs a walk up to its end", () => {
  const graph = hub(100_000);
  const expired = mock.fn(() => false);
  const first = around(graph, { limit: 50, limits: { visits: 1000, expired } });
  assert.equal(first.items.length, 50);
  assert.deepEqual([first.more, first.truncated, first.visited], [true, false, 52]);
  assert.equal(expired.mock.callCount(), 1, "not even a thousand edges were looked at");
  const of77 = around(graph, { of: 77, limits: { visits: 1000, expired } });
  const found = [numbers(of77), expired.mock.callCount()];
  assert.deepEqual(found, [[0], 2], "nor when the hub is an item of the page");

  const last = around(graph, { offset: 99_990, limit: 50 });
  assert.deepEqual(
    numbers(last),
    [99_991, 99_992, 99_993, 99_994, 99_995, 99_996, 99_997, 99_998, 99_999, 100_000],
  );
  assert.deepEqual([last.more, last.truncated, last.visited], [false, false, 100_001]);
});

test("GRAPH-9: a walk that is cut says so, and its items are right", () => {
  const graph = linked(
    10,
    Array.from({ length: 9 }, (_, n) => [0, n + 1] as const),
  );
  const cut = around(graph, { limits: { visits: 4, expired: () => false } });
  assert.deepEqual(numbers(cut), [1, 2, 3]);
  assert.deepEqual([cut.more, cut.truncated, cut.visited], [false, true, 4]);

  const enough = around(graph, { limits: { visits: 10, expired: () => false } });
  assert.deepEqual([enough.items.length, enough.truncated], [9, false]);

  const late = around(graph, { limits: { visits: 10, expired: () => true } });
  assert.deepEqual([late.items, late.more, late.truncated], [[], false, true]);
});

test("GRAPH-9: a walk ends in the middle of a hub when time is up", () => {
  const size = 20_000;
  const graph = linked(
    size,
    Array.from({ length: size - 1 }, (_, n) => [0, n + 1] as const),
  );
  let looks = 0;
  const { items, truncated, more } = around(graph, {
    limits: {
      visits: size,
      expired: () => {
        looks += 1;
        return looks > 3;
      },
    },
  });
  assert.ok(items.length > 0 && items.length < size - 1);
  assert.ok(items.every(({ edges }) => edges.length === 1));
  assert.deepEqual([truncated, more], [true, false]);
});

test("GRAPH-7: a page ends before it has too many edges, and only an item that alone has too many is cut", () => {
  const middle = 2 * maxEdges;
  const links = Array.from({ length: middle }, (_, n) => n + 3).flatMap((n) => [
    [0, n] as const,
    [n, 1] as const,
    [n, 2] as const,
  ]);
  const graph = linked(middle + 3, links);
  const page = (offset: number) => {
    const { items, more, truncated } = around(graph, { direction: "out", depth: 2, offset, limit: 200 });
    return [items.map(({ node, edges }) => [numberOf(node.id), edges.length]), more, truncated];
  };
  assert.deepEqual(page(middle), [[[1, maxEdges]], true, true]);
  assert.deepEqual(page(middle + 1), [[[2, maxEdges]], false, true]);
});

test("GRAPH-7: a page ends at the first item that it has no room for, though a later one would fit", () => {
  const between = Array.from({ length: maxEdges - 1 }, (_, n) => n + 3);
  const last = maxEdges + 1;
  const graph = linked(last + 2, [
    ...between.flatMap((n) => [[0, n] as const, [n, 1] as const]),
    [3, 2],
    [4, 2],
    [last, last + 1],
  ]);
  const rest = { direction: "out", depth: 2, limit: 200 } as const;
  const first = around(graph, { ...rest, offset: between.length });
  assert.deepEqual([numbers(first), first.more, first.truncated], [[1], true, false]);
  const second = around(graph, { ...rest, offset: between.length + 1 });
  assert.deepEqual([numbers(second), second.more], [[2, last + 1], false]);
});

test("GRAPH-7: a list of complete items is not truncated, however many edges it has", () => {
  const half = maxEdges / 2;
  const between = Array.from({ length: half }, (_, n) => n + 5);
  const links = between.flatMap((n) => [[0, n] as const, ...[1, 2, 3, 4].map((end) => [n, end] as const)]);
  const graph = linked(half + 5, links);
  const seen: number[] = [];
  for (let more = true; more; ) {
    const part = around(graph, { direction: "out", depth: 2, offset: half + seen.length, limit: 200 });
    assert.equal(part.truncated, false);
    seen.push(...part.items.map(({ edges }) => edges.length));
    more = part.more;
  }
  assert.deepEqual(seen, [half, half, half, half]);
});

const anyWalk = fc.record({
  filter: arbitraryFilter,
  depth: fc.integer({ min: 1, max: 3 }),
  nodeTypes: fc.option(fc.subarray([...nodeTypes]), { nil: undefined }),
});

test("GRAPH-7: page after page, neighbours equal those of the plain model", () => {
  fc.assert(
    fc.property(arbitraryGraph(8), anyWalk, fc.integer({ min: 1, max: 9 }), (input, walk, limit) => {
      const [graph, model] = [buildGraph(input), modelOf(input)];
      const options = { ...walk.filter, depth: walk.depth, nodeTypes: walk.nodeTypes };
      const expected = modelNeighbors(model, id(0), options);
      const listed = [];
      let more = true;
      while (more) {
        const part = around(graph, { ...options, offset: listed.length, limit });
        assert.equal(part.truncated, false);
        listed.push(...part.items);
        more = part.more;
      }
      assert.deepEqual(
        listed.map(({ node, depth, edges }) => ({ id: node.id, depth, edges })),
        expected,
      );
    }),
    { numRuns: 500 },
  );
});

test("GRAPH-9: within any budget, neighbours are the first ones of the plain model, and the walk says if it was cut", () => {
  fc.assert(
    fc.property(arbitraryGraph(8), anyWalk, fc.integer({ min: 1, max: 9 }), (input, walk, visits) => {
      const options = { ...walk.filter, depth: walk.depth, nodeTypes: walk.nodeTypes };
      const expected = modelNeighbors(modelOf(input), id(0), options);
      const cut = around(buildGraph(input), { ...options, limits: { visits, expired: () => false } });
      assert.ok(cut.visited <= visits);
      assert.deepEqual(
        cut.items.map(({ node }) => node.id),
        expected.slice(0, cut.items.length).map((neighbor) => neighbor.id),
      );
      if (!cut.truncated) assert.equal(cut.items.length, expected.length);
    }),
    { numRuns: 500 },
  );
});
