import assert from "node:assert/strict";
import { mock, test } from "node:test";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import { arbitraryFilter, arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph, type GraphInput } from "../testing/graph-input.ts";
import { modelDegree, modelOf, modelPaths } from "../testing/graph-model.ts";
import { hub, id, linked, numberOf, page, reference, unlimited } from "../testing/samples.ts";
import { type PathsOptions, paths } from "./paths.ts";

/** One path of up to six steps, in both directions, unless options say otherwise. */
function between(graph: Graph, from: number, to: number, options: Partial<PathsOptions> = {}) {
  const standard = { direction: "both", maxDepth: 6, maxPaths: 1, limits: unlimited } as const;
  const { paths: found, ...result } = paths(graph, id(from), id(to), { ...standard, ...options });
  const read = found.map(({ nodes, edges }) => ({
    nodes: nodes.map((node) => graph.nodeAt(node)),
    edges: edges.map((edge) => graph.edge(edge)),
  }));
  return { ...result, paths: read };
}

const routes = (result: ReturnType<typeof between>) =>
  result.paths.map(({ nodes }) => nodes.map((node) => numberOf(node.id)).join(" "));

const chain = (length: number) =>
  linked(
    length + 1,
    Array.from({ length }, (_, n) => [n, n + 1] as const),
  );

test("GRAPH-8: paths come shortest first, those of one length in the order of their nodes' ids", () => {
  const graph = linked(7, [
    [0, 5],
    [5, 6],
    [0, 4],
    [4, 6],
    [0, 1],
    [1, 2],
    [2, 6],
    [1, 5],
  ]);
  const result = between(graph, 0, 6, { direction: "out", maxPaths: 20 });
  assert.deepEqual(routes(result), ["0 4 6", "0 5 6", "0 1 2 6", "0 1 5 6"]);
  assert.deepEqual([result.status, result.complete], ["found", true]);
  assert.deepEqual(routes(between(graph, 0, 6, { direction: "out", maxPaths: 3 })), [
    "0 4 6",
    "0 5 6",
    "0 1 2 6",
  ]);
});

test("GRAPH-8: direction follows edges out, in, or both", () => {
  const graph = linked(3, [
    [0, 1],
    [2, 1],
  ]);
  assert.equal(between(graph, 0, 2, { direction: "out" }).status, "none");
  assert.equal(between(graph, 0, 2, { direction: "in" }).status, "none");
  assert.deepEqual(routes(between(graph, 0, 2)), ["0 1 2"]);
  assert.deepEqual(routes(between(graph, 1, 2, { direction: "in" })), ["1 2"]);
});

test("GRAPH-8: a path from a node to itself has length 0", () => {
  const graph = linked(2, [
    [0, 0],
    [0, 1],
    [1, 0],
  ]);
  const result = between(graph, 0, 0, { maxPaths: 20, edgeTypes: [] });
  assert.deepEqual(
    result.paths.map(({ nodes, edges }) => [nodes.length, edges.length]),
    [[1, 0]],
  );
  assert.deepEqual([result.status, result.complete, result.visited], ["found", true, 1]);
  assert.equal(result.avoidedHubs, false, "it was not asked to avoid them");
});

test("GRAPH-8: parallel edges are one path, and each step names the first one that points its way", () => {
  const graph = buildGraph({
    nodes: [page(0), page(1, { parentId: id(2) }), page(2)],
    references: [
      reference(1, 0, "mention"),
      reference(0, 1, "relation", { name: "B" }),
      reference(0, 1, "relation", { name: "A" }),
      reference(1, 2, "link", { count: 4 }),
    ],
  });
  const result = between(graph, 0, 2, { maxPaths: 20 });
  assert.deepEqual(routes(result), ["0 1 2"]);
  assert.deepEqual(result.paths[0]?.edges, [
    { from: id(0), to: id(1), type: "relation", name: "A", count: 1 },
    { from: id(1), to: id(2), type: "link", name: null, count: 4 },
  ]);
  assert.deepEqual(between(graph, 0, 2, { edgeTypes: ["mention", "child"] }).paths[0]?.edges, [
    { from: id(1), to: id(0), type: "mention", name: null, count: 1 },
    { from: id(2), to: id(1), type: "child", name: null, count: 1 },
  ]);
});

test("GRAPH-8: the status is none only if there is no path of any length", () => {
  const apart = linked(5, [
    [0, 1],
    [2, 3],
    [3, 4],
  ]);
  assert.deepEqual(
    [between(apart, 0, 4, { maxDepth: 1 }).status, between(apart, 0, 4, { maxDepth: 10 }).status],
    ["none", "none"],
  );
  for (const length of [2, 3, 7, 11, 40]) {
    const graph = chain(length);
    assert.equal(
      between(graph, 0, length, { maxDepth: length - 1 }).status,
      "depth_reached",
      `${length} steps`,
    );
    assert.equal(between(graph, 0, length, { maxDepth: length }).status, "found", `${length} steps`);
  }
  assert.equal(between(chain(4), 0, 4, { maxDepth: 1, edgeTypes: ["mention"] }).status, "none");
});

test("GRAPH-8: no path has more steps than max_depth", () => {
  const graph = linked(5, [
    [0, 4],
    [0, 1],
    [1, 4],
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
  assert.deepEqual(routes(between(graph, 0, 4, { maxPaths: 20, maxDepth: 2 })), ["0 4", "0 1 4"]);
  assert.deepEqual(routes(between(graph, 0, 4, { maxPaths: 20, maxDepth: 4 })), [
    "0 4",
    "0 1 4",
    "0 1 2 3 4",
  ]);
});

test("GRAPH-8: a budget that ends the search first says budget_reached, and not complete", () => {
  const limits = { visits: 5, expired: () => false };
  const result = between(chain(10), 0, 10, { maxDepth: 10, limits });
  assert.deepEqual([result.status, result.complete, result.paths], ["budget_reached", false, []]);
  assert.ok(result.visited <= 5);
});

test("GRAPH-8: a budget that ends beyond max_depth says depth_reached, since everything up to there was searched", () => {
  // Both ends, and a node for each of four steps.
  const limits = { visits: 2 + 4, expired: () => false };
  const result = between(chain(10), 0, 10, { maxDepth: 4, limits });
  assert.deepEqual([result.status, result.complete], ["depth_reached", false]);
  assert.equal(between(chain(10), 0, 10, { maxDepth: 5, limits }).status, "budget_reached");
});

test("GRAPH-8: a budget that ends between two paths keeps those found, and says that the list is incomplete", () => {
  // Ten ways from 0 to 1, each a step longer than the one before it.
  const links: [number, number][] = [];
  let size = 2;
  for (let steps = 2; steps < 12; steps += 1) {
    const between0And1 = Array.from({ length: steps - 1 }, (_, n) => size + n);
    const way = [0, ...between0And1, 1];
    for (let step = 0; step < steps; step += 1) links.push([way[step] ?? 0, way[step + 1] ?? 0]);
    size += steps - 1;
  }
  const graph = linked(size, links);
  const options = { maxPaths: 20, maxDepth: 20 };
  const all = between(graph, 0, 1, options);
  assert.deepEqual([all.paths.length, all.complete], [10, true]);
  const some = between(graph, 0, 1, { ...options, limits: { visits: 200, expired: () => false } });
  assert.deepEqual([some.status, some.complete], ["found", false]);
  assert.ok(some.paths.length > 0 && some.paths.length < 10);
  assert.deepEqual(routes(some), routes(all).slice(0, some.paths.length));
});

test("GRAPH-9: a path search ends when time is up", () => {
  const result = between(chain(3), 0, 3, { limits: { visits: 100, expired: () => true } });
  assert.deepEqual([result.status, result.complete], ["budget_reached", false]);
});

test("GRAPH-9: a path between neighbours of a hub does not go through its 100 000 edges", () => {
  const graph = hub(100_000);
  const expired = mock.fn(() => false);
  const result = between(graph, 77, 99_999, { limits: { visits: 1000, expired } });
  assert.deepEqual(routes(result), ["77 0 99999"]);
  assert.deepEqual(routes(between(graph, 0, 99_999, { limits: { visits: 1000, expired } })), ["0 99999"]);
  assert.equal(expired.mock.callCount(), 2, "either search looked at less than a thousand edges");
});

test("GRAPH-9: a path between two hubs does not go through their edges if one links to the other", () => {
  const edges = 2000;
  const last = 2 * edges + 2;
  const ownPages = Array.from({ length: edges }, (_, n) => [
    [0, n + 2] as const,
    [last, n + 2 + edges] as const,
  ]);
  const overAnother = [[0, 1] as const, [1, last] as const, ...ownPages.flat()];
  const direct = linked(last + 1, [[0, last], ...overAnother]);
  const first = between(direct, 0, last, { limits: { visits: 100, expired: () => false } });
  assert.deepEqual([routes(first), first.status], [[`0 ${last}`], "found"]);
  assert.deepEqual(routes(between(direct, 0, last, { maxPaths: 2 })), [`0 ${last}`, `0 1 ${last}`]);
  assert.deepEqual(routes(between(linked(last + 1, overAnother), 0, last)), [`0 1 ${last}`]);
});

test("GRAPH-9: a hub that is linked to one of two others needs none of its other edges", () => {
  const [one, other] = [6010, 6011];
  const ownPages = (hub: number, first: number) =>
    Array.from({ length: 2000 }, (_, n) => [hub, first + n] as const);
  const graph = linked(other + 1, [
    ...ownPages(0, 10),
    ...ownPages(one, 2010),
    ...ownPages(other, 4010),
    [one, 1],
    [other, 1],
    [0, other],
  ]);
  const first = between(graph, 0, 1, { limits: { visits: 100, expired: () => false } });
  assert.deepEqual([routes(first), first.status], [[`0 ${other} 1`], "found"]);
});

test("GRAPH-9: once the walks from both ends meet, they visit nothing else", () => {
  const between0And1 = Array.from({ length: 20 }, (_, n) => n + 10);
  const graph = linked(60, [
    ...between0And1.flatMap((n) => [[0, n] as const, [n, 1] as const, [n, n + 30] as const]),
    ...between0And1.map((n) => [1, n + 20] as const),
    ...between0And1.map((n) => [1, n + 30] as const),
  ]);
  const result = between(graph, 0, 1);
  assert.deepEqual(routes(result), ["0 10 1"]);
  assert.ok(result.visited <= 22, `${result.visited}`);
});

test("GRAPH-9: a search continues from the end with fewer edges ahead", () => {
  const leaves = Array.from({ length: 900 }, (_, n) => [1, n + 10] as const);
  const steps = [2, 3, 4].map((n) => [n - 1, n] as const);
  const graph = linked(910, [[0, 1], ...steps, ...leaves]);
  for (const [from, to] of [
    [0, 4],
    [4, 0],
  ] as const) {
    const { status, visited } = between(graph, from, to);
    assert.equal(status, "found");
    assert.ok(visited <= 10, `${visited} from ${from}`);
  }
});

test("GRAPH-9: a search compares the edges ahead of thousands of pages with those of the other end", () => {
  const between0And1 = Array.from({ length: 4096 }, (_, n) => n + 10);
  const last = between0And1.at(-1) ?? 0;
  const graph = linked(30_000, [
    ...between0And1.flatMap((n) => [[0, n] as const, ...[1, 2, 3].map((k) => [n, 4096 * k + n] as const)]),
    [1, last],
    ...Array.from({ length: 5000 }, (_, n) => [1, 25_000 + n] as const),
  ]);
  const { status, visited } = between(graph, 0, 1);
  assert.equal(status, "found");
  assert.ok(visited <= 4100, `${visited}`);
});

test("GRAPH-9: a page that leads nowhere near the end is tried once, on however many ways it is reached", () => {
  // From 0, seven layers of seven pages each, in which nothing leads on, and one way to 1. The end has more edges ahead.
  const layers = Array.from({ length: 7 }, (_, layer) =>
    Array.from({ length: 7 }, (_, n) => 10 + 7 * layer + n),
  );
  const ways = layers.flatMap((layer, index) =>
    (layers[index - 1] ?? [0]).flatMap((from) => layer.map((to) => [from, to] as const)),
  );
  const nodes = [0, ...Array.from({ length: 9 }, (_, n) => 90 + n), 1];
  const way = nodes.slice(1).map((to, index) => [nodes[index] ?? 0, to] as const);
  const others = Array.from({ length: 900 }, (_, n) => [100 + n, 1] as const);
  const expired = mock.fn(() => false);
  const result = between(linked(1000, [...ways, ...way, ...others]), 0, 1, {
    direction: "out",
    maxDepth: 10,
    limits: { visits: 10_000, expired },
  });
  assert.deepEqual(routes(result), [nodes.join(" ")]);
  assert.ok(expired.mock.callCount() <= 3, `${expired.mock.callCount()} thousand edges were looked at`);
});

test("GRAPH-8: a chain of thirty thousand links is found from end to end", () => {
  const length = 30_000;
  const result = between(chain(length), 0, length, { maxDepth: length });
  assert.equal(result.paths[0]?.edges.length, length);
});

const anySearch = fc.record({
  filter: arbitraryFilter,
  maxDepth: fc.integer({ min: 1, max: 7 }),
  maxPaths: fc.integer({ min: 1, max: 20 }),
});

/** The same graph with many more pages around one of them. References to a page that is not there stay what they are. */
function withHub({ nodes, references }: GraphInput, hub: number, leaves: number): GraphInput {
  const added = Array.from({ length: leaves }, (_, n) => nodes.length + 1 + n);
  return {
    nodes: [...nodes, ...added.map((n) => page(n))],
    references: [...references, ...added.map((n) => reference(hub, n))],
  };
}

const anyInput = fc.oneof(
  { weight: 4, arbitrary: arbitraryGraph(7) },
  { weight: 1, arbitrary: arbitraryGraph(7).map((input) => withHub(input, 2, 40)) },
);

test("GRAPH-8: paths equal those of the plain model, which tries them all", () => {
  fc.assert(
    fc.property(anyInput, anySearch, fc.nat({ max: 6 }), (input, { filter, ...bounds }, to) => {
      const all = modelPaths(modelOf(input), id(0), id(to), filter);
      const shallow = all.filter(({ edges }) => edges.length <= bounds.maxDepth);
      const result = between(buildGraph(input), 0, to, { ...filter, ...bounds });
      assert.deepEqual(
        result.paths.map(({ nodes, edges }) => ({ nodes: nodes.map((node) => node.id), edges })),
        shallow.slice(0, bounds.maxPaths),
      );
      const without = all.length > 0 ? "depth_reached" : "none";
      assert.equal(result.status, shallow.length > 0 ? "found" : without);
      assert.equal(result.complete, true);
    }),
    { numRuns: 700 },
  );
});

test("GRAPH-8: within any budget, the result of a path search is true", () => {
  fc.assert(
    fc.property(
      arbitraryGraph(7),
      anySearch,
      fc.integer({ min: 1, max: 60 }),
      (input, { filter, ...bounds }, visits) => {
        const all = modelPaths(modelOf(input), id(0), id(6), filter);
        const shallow = all.filter(({ edges }) => edges.length <= bounds.maxDepth);
        const limits = { visits, expired: () => false };
        const result = between(buildGraph(input), 0, 6, { ...filter, ...bounds, limits });
        assert.ok(result.visited <= visits);
        assert.deepEqual(
          result.paths.map(({ nodes }) => nodes.map((node) => node.id)),
          shallow.slice(0, result.paths.length).map(({ nodes }) => nodes),
        );
        if (result.complete) assert.equal(result.paths.length, Math.min(shallow.length, bounds.maxPaths));
        if (result.status === "none") assert.equal(all.length, 0);
        if (result.status === "depth_reached") assert.equal(shallow.length, 0);
        assert.equal(result.status === "found", result.paths.length > 0);
        if (result.status === "budget_reached") assert.equal(result.complete, false);
      },
    ),
    { numRuns: 700 },
  );
});

/** A graph whose pages 0 to `size` - 1 are linked as told. Each of `hubs` has links to further pages, 201 edges in all. */
function linkedAroundHubs(
  size: number,
  links: readonly (readonly [number, number])[],
  hubs: readonly number[],
) {
  const input: GraphInput = {
    nodes: Array.from({ length: size }, (_, n) => page(n)),
    references: links.map(([from, to]) => reference(from, to)),
  };
  return buildGraph(
    hubs.reduce(
      (grown, hub) => withHub(grown, hub, 201 - links.filter((link) => link.includes(hub)).length),
      input,
    ),
  );
}

test("GRAPH-8: a path goes around a page with more than 200 edges if there is another way within max_depth", () => {
  const links = [
    [0, 1],
    [1, 2],
    [0, 3],
    [3, 4],
    [4, 2],
  ] as const;
  const graph = linkedAroundHubs(5, links, [1]);
  const around = between(graph, 0, 2, { avoidHubs: unlimited, maxPaths: 20 });
  assert.deepEqual([routes(around), around.avoidedHubs], [["0 3 4 2"], true]);
  const through = between(graph, 0, 2, { avoidHubs: unlimited, maxDepth: 2 });
  assert.deepEqual([routes(through), through.avoidedHubs, through.complete], [["0 1 2"], false, true]);
  assert.ok(through.visited > between(graph, 0, 2, { maxDepth: 2 }).visited, "both searches count");
  const asked = between(graph, 0, 2);
  assert.deepEqual([routes(asked), asked.avoidedHubs], [["0 1 2"], false]);
  const same = between(linked(5, links), 0, 2, { avoidHubs: unlimited });
  assert.deepEqual([routes(same), same.avoidedHubs], [["0 1 2"], true], "page 1 is no hub there");
});

test("GRAPH-8: the ends of a path that goes around hubs may be hubs", () => {
  const chainOfHubs = [
    [0, 1],
    [1, 2],
  ] as const;
  const graph = linkedAroundHubs(3, chainOfHubs, [0, 2]);
  const result = between(graph, 0, 2, { avoidHubs: unlimited });
  assert.deepEqual([routes(result), result.avoidedHubs], [["0 1 2"], true]);
  assert.equal(between(graph, 0, 0, { avoidHubs: unlimited }).paths.length, 1);
});

test("GRAPH-8: if a limit ends the search around hubs, paths through them are listed as incomplete", () => {
  const links = [
    [0, 1],
    [1, 2],
    [0, 3],
    [3, 4],
    [4, 2],
  ] as const;
  const graph = linkedAroundHubs(5, links, [1]);
  const few = { visits: 3, expired: () => false };
  const result = between(graph, 0, 2, { avoidHubs: few });
  assert.deepEqual([routes(result), result.avoidedHubs, result.complete], [["0 1 2"], false, false]);
});

test("GRAPH-8: paths around hubs equal those of the plain model without its hubs", () => {
  const anyHubs = fc.uniqueArray(
    fc.record({ node: fc.nat({ max: 6 }), leaves: fc.integer({ min: 190, max: 204 }) }),
    {
      maxLength: 3,
      selector: ({ node }) => node,
    },
  );
  fc.assert(
    fc.property(
      arbitraryGraph(7),
      anyHubs,
      anySearch,
      fc.nat({ max: 6 }),
      (core, hubs, { filter, ...bounds }, to) => {
        const input = hubs.reduce((grown, { node, leaves }) => withHub(grown, node, leaves), core);
        const model = modelOf(input);
        const isHub = (node: string) => {
          const degree = modelDegree(model, node);
          return degree.in + degree.out > 200;
        };
        // The pages around hubs are on no path.
        const all = modelPaths(modelOf(core), id(0), id(to), filter);
        const shallow = all.filter(({ edges }) => edges.length <= bounds.maxDepth);
        const around = shallow.filter(({ nodes }) => !nodes.slice(1, -1).some(isHub));
        const result = between(buildGraph(input), 0, to, { ...filter, ...bounds, avoidHubs: unlimited });
        assert.deepEqual(
          result.paths.map(({ nodes, edges }) => ({ nodes: nodes.map((node) => node.id), edges })),
          (around.length > 0 ? around : shallow).slice(0, bounds.maxPaths),
        );
        assert.equal(result.avoidedHubs, around.length > 0);
        const without = all.length > 0 ? "depth_reached" : "none";
        assert.equal(result.status, shallow.length > 0 ? "found" : without);
        assert.equal(result.complete, true);
      },
    ),
    { numRuns: 300 },
  );
});
