import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFormat } from "@clew/contract/vocabulary";
import fc from "fast-check";
import type { Graph } from "../graph.ts";
import { arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph, type GraphInput } from "../testing/graph-input.ts";
import { changed, linkedGroups, randomNumbers } from "../testing/linked-groups.ts";
import {
  emptyShares,
  linkedDistance,
  outsideCount,
  radiusDeviation,
  samePages,
  stayedShare,
} from "../testing/map-figures.ts";
import { type ReadMap, readMap } from "../testing/read-map.ts";
import { id, page, reference } from "../testing/samples.ts";
import { folderMapOf, linkMapOf } from "./map.ts";
import { withColour } from "./map-file.ts";

const byFolders = (graph: Graph) => readMap(withColour(folderMapOf(graph.columns, 1), "region"));
const byLinks = (graph: Graph) => readMap(withColour(linkMapOf(graph.columns, 1, null).map, "region"));
const maps = { "by folders": byFolders, "by links": byLinks };

/** Each page is in its region, each region in that which it is in, and no region on another. */
function expectApart(map: ReadMap): void {
  assert.equal(outsideCount(map), 0, "pages outside of their regions");
  const { regions } = map;
  let pages = 0;
  for (const [number, region] of regions.entries()) {
    const parent = region.parent === null ? undefined : regions[region.parent];
    if (parent === undefined) pages += region.pages;
    else {
      const distance = Math.hypot(region.x - parent.x, region.y - parent.y);
      assert.ok(distance + region.radius <= parent.radius + 1, `${number} is not within ${region.parent}`);
    }
    for (const other of regions.slice(0, number)) {
      if (other.parent !== region.parent) continue;
      const distance = Math.hypot(region.x - other.x, region.y - other.y);
      assert.ok(distance + 2 >= region.radius + other.radius, `${number} lies on another region`);
    }
  }
  assert.equal(pages, map.count, "every page is in one region");
}

test("GRAPH-30: no region lies on another, and every page lies in one", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 150 }).chain((size) => arbitraryGraph(size)),
      (input) => {
        const graph = buildGraph(input);
        for (const mapOf of Object.values(maps)) expectApart(mapOf(graph));
      },
    ),
    { numRuns: 25 },
  );
});

test("GRAPH-30: the same graph has the same map, in whatever order its rows were", () => {
  fc.assert(
    fc.property(arbitraryGraph(60), fc.infiniteStream(fc.nat()), (input, numbers) => {
      const nodes = input.nodes
        .map((node) => ({ node, key: numbers.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ node }) => node);
      const [one, other] = [input, { nodes, references: input.references.toReversed() }].map(buildGraph);
      assert.ok(one !== undefined && other !== undefined);
      assert.deepEqual(folderMapOf(other.columns, 3), folderMapOf(one.columns, 3));
      const [first, second] = [linkMapOf(one.columns, 3, null), linkMapOf(other.columns, 3, null)];
      assert.deepEqual(second, first);
      assert.deepEqual(linkMapOf(other.columns, 4, second.state), linkMapOf(one.columns, 4, first.state));
    }),
    { numRuns: 12 },
  );
});

const groups = linkedGroups(1, 12, 900);
const grouped = buildGraph(groups);

test("GRAPH-30: at most 60 % of a picture lies outside of all regions, whose areas follow their numbers of pages", (t) => {
  for (const [name, mapOf] of Object.entries(maps)) {
    const map = mapOf(grouped);
    expectApart(map);
    assert.ok(map.regions.length >= 8, `${map.regions.length} regions ${name}`);
    for (const [width, height] of [
      [1150, 572],
      [800, 800],
    ] as const) {
      const { whole, middle } = emptyShares(map, width, height);
      t.diagnostic(
        `${name}, ${width} × ${height}: ${whole.toFixed(3)} of the cells, ${middle.toFixed(3)} of their middles`,
      );
      assert.ok(whole <= 0.6, `${whole} ${name}`);
    }
    assert.ok(radiusDeviation(map) <= 0.05, `${radiusDeviation(map)} ${name}`);
  }
});

test("GRAPH-30: pages are drawn within their regions", () => {
  for (const mapOf of Object.values(maps)) {
    const map = mapOf(grouped);
    const tops = map.regions.filter(({ level }) => level === 1);
    for (let each = 0; each < map.count; each += 1) {
      const region = tops[map.colourOf(each)];
      assert.ok(region !== undefined);
      const distance = Math.hypot(region.x - map.x(each), region.y - map.y(each));
      assert.ok(distance + map.radius(each) <= region.radius, `page ${each}`);
    }
  }
});

test("GRAPH-30: no two pages lie on one place", () => {
  for (const mapOf of Object.values(maps)) {
    const map = mapOf(grouped);
    const places = new Set(Array.from({ length: map.count }, (_, each) => `${map.x(each)} ${map.y(each)}`));
    assert.equal(places.size, map.count);
  }
});

test("GRAPH-30: linked pages are near each other on the map by links", (t) => {
  const ratio = linkedDistance(byLinks(grouped), grouped.columns, randomNumbers(2));
  t.diagnostic(`${ratio.toFixed(3)} of the distance of random pairs`);
  assert.ok(ratio <= 0.6);
  const scattered = linkedDistance(byFolders(grouped), grouped.columns, randomNumbers(2));
  assert.ok(scattered > 0.8, "folders say nothing about these links, which the figure has to show");
});

test("GRAPH-30: after 1 % of changes, 95 of 100 pages are where they were on the map by links", (t) => {
  let now = groups;
  let { map, state } = linkMapOf(grouped.columns, 1, null);
  for (const seed of [1, 2, 3]) {
    const next = changed(now, 0.01, seed);
    const [before, after] = [buildGraph(now), buildGraph(next)];
    const made = linkMapOf(after.columns, 2, state);
    const [old, young] = [map, made.map].map((each) => readMap(withColour(each, "region")));
    assert.ok(old !== undefined && young !== undefined);
    expectApart(young);
    const stayed = stayedShare(old, young, samePages(before, after));
    t.diagnostic(stayed.toFixed(4));
    assert.ok(stayed >= 0.95, `${stayed}`);
    [now, map, state] = [next, made.map, made.state];
  }
});

test("GRAPH-30: regions stay when a page is added, which lies at the rim", () => {
  const { map, state } = linkMapOf(grouped.columns, 1, null);
  const before = readMap(withColour(map, "region"));
  const added = page(9000, { parentId: id(1) });
  const links = Array.from({ length: 3 }, (_, n) => reference(9000, 700 + n));
  const after = buildGraph({ nodes: [...groups.nodes, added], references: [...groups.references, ...links] });
  const young = readMap(withColour(linkMapOf(after.columns, 2, state).map, "region"));
  assert.deepEqual(
    young.regions.map(({ name, parent }) => [name, parent]),
    before.regions.map(({ name, parent }) => [name, parent]),
  );
  const place = after.columns.tree.positions[after.indexOf(added.id)] ?? 0;
  const home = young.regions.findLast(
    ({ x, y, radius }) => Math.hypot(x - young.x(place), y - young.y(place)) <= radius,
  );
  assert.ok(home !== undefined);
  const distance = Math.hypot(home.x - young.x(place), home.y - young.y(place));
  assert.ok(distance > 0.75 * home.radius, `${distance} of ${home.radius}`);
});

test("GRAPH-30: a workspace that has become another one gets new regions", () => {
  const { state } = linkMapOf(buildGraph(linkedGroups(5, 6, 700)).columns, 1, null);
  const fresh = readMap(withColour(linkMapOf(grouped.columns, 2, null).map, "region"));
  const later = readMap(withColour(linkMapOf(grouped.columns, 2, state).map, "region"));
  assert.equal(later.regions.length, fresh.regions.length);
  expectApart(later);
});

test("GRAPH-30: a state that another version of Clew wrote is not used", () => {
  const fresh = linkMapOf(grouped.columns, 1, null);
  const foreign = Uint8Array.from(fresh.state);
  foreign[0] = 99;
  for (const state of [foreign, fresh.state.slice(0, -1), new Uint8Array()])
    assert.deepEqual(linkMapOf(grouped.columns, 1, state), fresh);
});

test("GRAPH-30: no link shows in the map by folders, besides importance", () => {
  const bare = byFolders(buildGraph({ ...groups, references: [] }));
  const map = byFolders(grouped);
  assert.deepEqual(map.bundles, []);
  assert.deepEqual(map.regions, bare.regions);
});

test("GRAPH-30: bundles are the links between regions, the strongest first", () => {
  const { bundles, regions } = byLinks(grouped);
  assert.ok(bundles.length > 0 && bundles.length <= mapFormat.maxBundles);
  for (const [index, { from, to, links }] of bundles.entries()) {
    assert.deepEqual([regions[from]?.level, regions[to]?.level, from < to], [1, 1, true]);
    assert.ok(links <= (bundles[index - 1]?.links ?? Number.POSITIVE_INFINITY));
  }
  const { out, labels, tree } = grouped.columns;
  const map = byLinks(grouped);
  let across = 0;
  for (let from = 0; from < map.count; from += 1) {
    for (let edge = out.offsets[from] ?? 0; edge < (out.offsets[from + 1] ?? 0); edge += 1) {
      const to = out.nodes[edge] ?? 0;
      const isLink = labels.labels[out.labels[edge] ?? 0]?.type !== "child";
      const colours = [from, to].map((node) => map.colourOf(tree.positions[node] ?? 0));
      if (isLink && colours[0] !== colours[1]) across += 1;
    }
  }
  assert.equal(
    bundles.reduce((sum, { links }) => sum + links, 0),
    across,
  );
});

test("GRAPH-30: chains, stars, single pages and nothing at all have maps", () => {
  const chain = Array.from({ length: 10_000 }, (_, n) => page(n, { parentId: n === 0 ? null : id(n - 1) }));
  const star = Array.from({ length: 2_000 }, (_, n) => page(n, { parentId: n === 0 ? null : id(0) }));
  const alone = Array.from({ length: 300 }, (_, n) => page(n));
  const inputs: GraphInput["nodes"][] = [chain, star, alone, alone.slice(0, 1), []];
  for (const nodes of inputs) {
    const graph = buildGraph({ nodes, references: [] });
    for (const mapOf of Object.values(maps)) {
      const map = mapOf(graph);
      assert.equal(map.count, nodes.length);
      expectApart(map);
    }
  }
});

test("GRAPH-30: important pages are larger and further inside", () => {
  const map = byLinks(grouped);
  const { importance, tree } = grouped.columns;
  const distances = { high: 0, low: 0, highCount: 0, lowCount: 0 };
  for (let each = 0; each < map.count; each += 1) {
    const region = map.regions.findLast(
      ({ x, y, radius }) => Math.hypot(x - map.x(each), y - map.y(each)) <= radius,
    );
    assert.ok(region !== undefined);
    const distance = Math.hypot(region.x - map.x(each), region.y - map.y(each)) / region.radius;
    const value = importance[tree.order[each] ?? 0] ?? 0;
    if (value > 9_000) {
      distances.high += distance;
      distances.highCount += 1;
    } else if (value < 5_000) {
      distances.low += distance;
      distances.lowCount += 1;
    }
  }
  assert.ok(
    distances.high / distances.highCount < 0.7 * (distances.low / distances.lowCount),
    JSON.stringify(distances),
  );
});
