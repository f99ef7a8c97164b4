import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFormat } from "@clew/contract/vocabulary";
import fc from "fast-check";
import { at, floatAt } from "../columns.ts";
import type { Graph } from "../graph.ts";
import { noParent } from "../node-columns.ts";
import { arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph, type GraphInput, type NamedNode } from "../testing/graph-input.ts";
import { id, page, reference } from "../testing/samples.ts";
import { subtreeOf } from "../tree.ts";
import { sizeClassOf } from "./large-children.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { mapOf } from "./map.ts";
import { preorderTreeOf } from "./preorder-tree.ts";

const tolerance = 1e-6;
/** More than the coordinates of deep pages are rounded by. Their discs can be smaller than that. */
const rounding = 1e-14;

const distanceBetween = ({ xs, ys }: Layout, one: number, other: number) =>
  Math.hypot(floatAt(xs, one) - floatAt(xs, other), floatAt(ys, one) - floatAt(ys, other));

/** Every disc lies within that of its parent, and apart from those of its siblings. */
function expectNested({ columns }: Graph): void {
  const tree = preorderTreeOf(columns);
  const layout = layoutOf(tree);
  const { xs, ys, radii } = layout;
  const families = Map.groupBy(tree.parents.keys(), (page) => at(tree.parents, page));
  for (const [parent, family] of families) {
    const radius = parent === tree.pageCount ? 1 : floatAt(radii, parent);
    for (const child of family) {
      const distance =
        parent === tree.pageCount
          ? Math.hypot(floatAt(xs, child), floatAt(ys, child))
          : distanceBetween(layout, child, parent);
      assert.ok(floatAt(radii, child) > 0);
      assert.ok(
        distance + floatAt(radii, child) <= radius * (1 + tolerance) + rounding,
        `${child} is not within ${parent}`,
      );
      for (const sibling of family) {
        if (sibling <= child) continue;
        const apart = floatAt(radii, child) + floatAt(radii, sibling);
        const between = distanceBetween(layout, child, sibling);
        assert.ok(between >= apart - radius * tolerance - rounding, `${child} overlaps ${sibling}`);
      }
    }
  }
}

test("GRAPH-30: no disc overlaps a sibling's, and each lies within that of its parent", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((size) => arbitraryGraph(size)),
      (input) => expectNested(buildGraph(input)),
    ),
    { numRuns: 100 },
  );
});

test("GRAPH-30: discs are nested in wide, deep and lopsided trees", () => {
  const wide = Array.from({ length: 3000 }, (_, n) => page(n, { parentId: n === 0 ? null : id(0) }));
  expectNested(buildGraph({ nodes: wide, references: [] }));
  const chain = Array.from({ length: 100 }, (_, n) => page(n, { parentId: n === 0 ? null : id(n - 1) }));
  expectNested(buildGraph({ nodes: chain, references: [] }));
  for (const seed of [1, 2, 3]) expectNested(buildGraph(randomTree(seed, 2000)));
});

test("GRAPH-30: a chain of thirty thousand pages has a map", () => {
  const nodes = Array.from({ length: 30_000 }, (_, n) => page(n, { parentId: n === 0 ? null : id(n - 1) }));
  const map = readMap(mapOf(buildGraph({ nodes, references: [] }).columns, 1));
  assert.equal(map.places.length, nodes.length);
});

test("GRAPH-30: in a tree of hundreds of levels, 19 of 20 pages have a place that no other has", (t) => {
  const random = randomNumbers(5);
  const nodes = Array.from({ length: 20_000 }, (_, n) =>
    page(n, { parentId: n < 5 ? null : id(Math.max(0, n - 1 - Math.floor(random() * 40))) }),
  );
  const { places } = readMap(mapOf(buildGraph({ nodes, references: [] }).columns, 1));
  const pagesAt = Map.groupBy(places, (place) => place.slice(0, 2).join());
  const alone = [...pagesAt.values()].filter((pages) => pages.length === 1).length;
  t.diagnostic(`${alone} of ${nodes.length}`);
  assert.ok(alone > 0.95 * nodes.length, `${alone} of ${nodes.length}`);
});

test("GRAPH-30: the same graph has the same map, in whatever order its rows were", () => {
  fc.assert(
    fc.property(arbitraryGraph(20), fc.infiniteStream(fc.nat()), (input, numbers) => {
      const shuffled = input.nodes
        .map((node) => ({ node, key: numbers.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ node }) => node);
      const again = { nodes: shuffled, references: input.references.toReversed() };
      assert.deepEqual(mapOf(buildGraph(again).columns, 3), mapOf(buildGraph(input).columns, 3));
    }),
    { numRuns: 50 },
  );
});

test("GRAPH-30: places do not depend on titles, texts and links", () => {
  const input = randomTree(4, 300);
  const renamed: GraphInput = {
    nodes: input.nodes.map((node, n) => ({ ...node, title: `Other ${300 - n}`, updatedAt: n })),
    references: input.nodes.slice(1).map((_, n) => reference(n + 1, 0)),
  };
  assert.deepEqual(placesById(buildGraph(renamed)), placesById(buildGraph(input)));
});

test("GRAPH-30: a moved page moves with what is below it, and in 19 of 20 cases nothing else", (t) => {
  const random = randomNumbers(7);
  const outcome = { moves: 0, alone: 0, onlySiblings: 0, stayed: 0 };
  for (let round = 0; round < 60; round += 1) {
    const input = randomTree(round, 200);
    const before = buildGraph(input);
    const places = placesById(before);
    const { tree } = before.columns;
    const { parents } = before.columns.nodes;
    for (let trial = 0; trial < 3; trial += 1) {
      const moved = Math.floor(random() * input.nodes.length);
      const { from, to } = subtreeOf(tree, moved);
      const below = new Set(tree.order.subarray(from, to));
      const targets = [...input.nodes.keys()].filter((n) => !below.has(n) && n !== at(parents, moved));
      const target = targets[Math.floor(random() * targets.length)] ?? 0;
      if (below.size > 16) continue;
      const nodes = input.nodes.map((node, n) => (n === moved ? { ...node, parentId: id(target) } : node));
      const after = buildGraph({ nodes, references: [] });
      const now = placesById(after);
      const others = [...input.nodes.keys()].filter(
        (n) => !below.has(n) && places.get(id(n)) !== now.get(id(n)),
      );
      const keepClass = [...input.nodes.keys()].every(
        (n) => below.has(n) || classAt(before, n) === classAt(after, n),
      );
      // If discs are too small for the map, a page may stay in the same crowd.
      outcome.stayed += Number(places.get(id(moved)) === now.get(id(moved)));
      outcome.moves += 1;
      outcome.alone += Number(others.length === 0);
      // If no page above changes its size class, only what is in the old and in the new parent can move.
      if (!keepClass) continue;
      outcome.onlySiblings += 1;
      const families = [at(parents, moved), target].map((parent) => rangeWithin(before, parent));
      for (const other of others) {
        const position = at(tree.positions, other);
        assert.ok(
          families.some((family) => position > family.from && position < family.to),
          `${other} moved`,
        );
      }
    }
  }
  t.diagnostic(JSON.stringify(outcome));
  assert.ok(outcome.alone >= 0.95 * outcome.moves, JSON.stringify(outcome));
  assert.ok(outcome.stayed <= 0.05 * outcome.moves, JSON.stringify(outcome));
});

test("GRAPH-30: a new page moves nothing, unless a size class changes", () => {
  const input = randomTree(3, 200);
  const before = buildGraph(input);
  const places = placesById(before);
  let unmoved = 0;
  for (let parent = 0; parent < 200; parent += 5) {
    const added = page(999, { parentId: id(parent), createdAt: 2000 });
    const after = buildGraph({ nodes: [...input.nodes, added], references: [] });
    const now = placesById(after);
    const moved = [...places].filter(([node, place]) => now.get(node) !== place);
    unmoved += Number(moved.length === 0);
    if (moved.length > 0) {
      const changed = [...input.nodes.keys()].some((n) => classAt(before, n) !== classAt(after, n));
      const inFamily = moved.every(([node]) => {
        const { from, to } = rangeWithin(before, parent);
        const position = at(before.columns.tree.positions, before.indexOf(node));
        return position > from && position < to;
      });
      assert.ok(changed || inFamily, `below ${parent}: ${moved.length} pages moved`);
    }
  }
  assert.ok(unmoved >= 38, `${unmoved} of 40`);
});

const classAt = ({ columns: { tree } }: Graph, node: number) =>
  sizeClassOf(at(tree.ends, node) - at(tree.positions, node));

/** The positions of what is in a page; everything if it is none. */
function rangeWithin({ columns: { tree } }: Graph, parent: number): { from: number; to: number } {
  if (parent === noParent) return { from: -1, to: tree.order.length };
  return { from: at(tree.positions, parent), to: at(tree.ends, parent) };
}

/** The places of pages as a map has them. */
function placesById({ columns }: Graph): Map<string, string> {
  const { places } = readMap(mapOf(columns, 1));
  return new Map(
    places.map((place, position) => [id(at(columns.tree.order, position)), place.slice(0, 2).join()]),
  );
}

/** Reads a map as its format says. */
function readMap(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer);
  const count = view.getUint32(8, true);
  const start = view.getUint32(16, true);
  assert.equal(bytes.length, start + count * mapFormat.nodeBytes);
  return {
    discs: view.getUint32(12, true),
    places: Array.from({ length: count }, (_, position) => {
      const offset = start + position * mapFormat.nodeBytes;
      return [
        view.getUint16(offset, true),
        view.getUint16(offset + 2, true),
        view.getUint8(offset + 4),
        view.getUint8(offset + 5),
      ] as const;
    }),
  };
}

/** Numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A tree in which some pages have many others in them and most have none. */
function randomTree(seed: number, size: number): GraphInput {
  const random = randomNumbers(seed);
  const nodes: NamedNode[] = Array.from({ length: size }, (_, n) => {
    const parent = Math.floor(random() ** 2 * n);
    const type = random() < 0.05 ? "database" : "page";
    return page(n, { parentId: n < 5 ? null : id(parent), type, createdAt: Math.floor(random() * 1000) });
  });
  return { nodes, references: [] };
}
