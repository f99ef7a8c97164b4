import assert from "node:assert/strict";
import { test } from "node:test";
import { mapColours as contractColours } from "@clew/contract/vocabulary";
import { folderMapOf, linkMapOf, withColour } from "@clew/graph";
import { buildGraph, id, page } from "@clew/graph/testing";
import {
  between,
  fitted,
  panned,
  placeOfRegion,
  toMap,
  toScreen,
  zoomed,
} from "../../packages/dashboard/src/views/map/camera.ts";
import { at, mapColours, readMapFile, transposed } from "../../packages/dashboard/src/views/map/map-file.ts";

const pages = Array.from({ length: 40 }, (_, n) => page(n, { parentId: n < 20 ? null : id(n % 3) }));
const references = pages.flatMap((_, n) =>
  [1, 2].map((step) => ({
    from: id(n),
    reference: { type: "link" as const, targetId: id((n + step) % 40), name: null, count: 1 },
  })),
);
const graph = buildGraph({ nodes: pages, references });
const bytes = withColour(folderMapOf(graph.columns, 5), "region");
const map = readMapFile(new Uint8Array(bytes).buffer);
const size = { width: 800, height: 500 };

test("GRAPH-30: the dashboard reads the maps that the server makes", () => {
  assert.deepEqual([map.graphVersion, map.count, map.isByLinks], [5, 40, false]);
  assert.ok(map.regions.length > 1);
  for (let position = 0; position < map.count; position += 1) {
    const home = map.regions[at(map.colours, position)];
    assert.ok(home !== undefined);
    const distance = Math.hypot(at(map.xs, position) - home.x, at(map.ys, position) - home.y);
    assert.ok(distance <= home.radius + 1e-4, `${position} is not in its region`);
    assert.ok(at(map.radii, position) > 0);
  }
  const tops = map.regions.filter(({ parent }) => parent === null);
  assert.equal(
    tops.reduce((sum, region) => sum + region.pages, 0),
    40,
  );
  assert.throws(() => readMapFile(new ArrayBuffer(10)), TypeError);
  assert.throws(() => readMapFile(new Uint8Array(bytes.slice(0, -1)).buffer), TypeError);
});

test("GRAPH-30: the legend and the bundles of a map by links are read with their names", () => {
  const made = linkMapOf(graph.columns, 6, null);
  const linked = readMapFile(new Uint8Array(withColour(made.map, "edited")).buffer);
  assert.equal(linked.isByLinks, true);
  assert.deepEqual(
    new Set(linked.legend.map(({ colour }) => colour)),
    new Set(["folder", "database", "edited"]),
  );
  for (const { from, to, links } of linked.bundles)
    assert.ok(linked.regions[from] !== undefined && linked.regions[to] !== undefined && links > 0);
  const edited = linked.legend.filter(({ colour }) => colour === "edited");
  assert.match(edited[0]?.name ?? "", /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(mapColours, contractColours);
});

test("a map that is transposed has each page and region at the mirrored place", () => {
  const turned = transposed(map);
  for (let position = 0; position < map.count; position += 1)
    assert.deepEqual(
      [at(turned.xs, position), at(turned.ys, position)],
      [at(map.ys, position), at(map.xs, position)],
    );
  assert.deepEqual(turned.regions[0]?.x, map.regions[0]?.y);
});

test("zooming keeps the point below the pointer, and everything fits into the picture", () => {
  const camera = fitted(map, size);
  for (let position = 0; position < map.count; position += 1) {
    const [x, y] = toScreen(camera, size, at(map.xs, position), at(map.ys, position));
    assert.ok(x >= 0 && x <= 800 && y >= 0 && y <= 500);
  }
  const before = toMap(camera, size, 600, 100);
  const after = toMap(zoomed(camera, 3, 600 - 400, 100 - 250), size, 600, 100);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  const [x, y] = toScreen(panned(camera, 30, -20), size, camera.x, camera.y);
  assert.ok(Math.abs(x - 430) < 1e-6 && Math.abs(y - 230) < 1e-6);
  assert.ok(zoomed(camera, 1e-9, 0, 0, camera.scale).scale > camera.scale / 3);
});

test("a flight begins and ends at its cameras, and a region's place shows the region", () => {
  const from = fitted(map, size);
  const to = { x: 0.3, y: 0.6, scale: 9 * from.scale };
  assert.deepEqual(between(from, to, 0), from);
  const end = between(from, to, 1);
  assert.ok(Math.hypot(end.x - to.x, end.y - to.y) < 1e-9 && Math.abs(end.scale / to.scale - 1) < 1e-9);
  const flat = between(from, { ...from, x: 0.7 }, 0.5);
  assert.ok(Math.abs(flat.x - (from.x + 0.7) / 2) < 1e-9);
  const [region] = map.regions;
  assert.ok(region !== undefined);
  const place = placeOfRegion(map, region);
  const scale = from.scale * 2 ** place.zoom;
  assert.ok(region.radius * scale * 2 < 800 && region.radius * scale * 2 > 200);
});
