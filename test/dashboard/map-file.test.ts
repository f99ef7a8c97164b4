import assert from "node:assert/strict";
import { test } from "node:test";
import { folderMapOf, withColour } from "@clew/graph";
import { buildGraph, id, page } from "@clew/graph/testing";
import { fitted, panned, toMap, toScreen, zoomed } from "../../packages/dashboard/src/views/map/camera.ts";
import { labelled, nodeAt, readMapFile } from "../../packages/dashboard/src/views/map/map-file.ts";

const pages = Array.from({ length: 40 }, (_, n) => page(n, { parentId: n < 20 ? null : id(n % 3) }));
const graph = buildGraph({ nodes: pages, references: [] });
const bytes = withColour(folderMapOf(graph.columns, 5), "region");
const map = readMapFile(new Uint8Array(bytes).buffer);

test("GRAPH-30: the dashboard reads the maps that the server makes", () => {
  assert.deepEqual([map.graphVersion, map.count], [5, 40]);
  assert.ok(map.discs.length > 1);
  for (let position = 0; position < map.count; position += 1) {
    const [placeX, placeY] = map.place(position);
    const isInside = map.discs.some(
      ({ x, y, radius }) => Math.hypot(placeX - x, placeY - y) <= radius + 1e-4,
    );
    assert.ok(isInside, `${position} is in no region`);
  }
  assert.throws(() => readMapFile(new ArrayBuffer(10)), TypeError);
  assert.throws(() => readMapFile(new Uint8Array(bytes.slice(0, -1)).buffer), TypeError);
});

test("a page is found at its place, and nothing where no page is near", () => {
  for (let position = 0; position < map.count; position += 1) {
    const [x, y] = map.place(position);
    const found = nodeAt(map, x, y, 0.0001) ?? -1;
    assert.deepEqual(map.place(found), [x, y]);
  }
  assert.equal(nodeAt(map, 5, 5, 0.1), null);
});

test("labels are for pages in sight, those with others in them first", () => {
  const all = labelled(map, () => true, 10);
  assert.equal(new Set(all).size, 10);
  // A region that is called by no page has no label.
  const named = map.discs.map(({ position }) => position).filter((position) => position < map.count);
  assert.deepEqual(all.slice(0, named.length), named);
  const left = labelled(map, (x) => x < 0.5, 40);
  for (const position of left.filter((each) => !named.includes(each)))
    assert.ok(map.place(position)[0] < 0.5);
});

test("zooming keeps the point below the pointer, and everything fits into the picture", () => {
  const size = { width: 800, height: 500 };
  const camera = fitted(map, size);
  for (let position = 0; position < map.count; position += 1) {
    const [x, y] = toScreen(camera, size, ...map.place(position));
    assert.ok(x >= 0 && x <= 800 && y >= 0 && y <= 500);
  }
  const before = toMap(camera, size, 600, 100);
  const after = toMap(zoomed(camera, 3, 600 - 400, 100 - 250), size, 600, 100);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  const [x, y] = toScreen(panned(camera, 30, -20), size, camera.x, camera.y);
  assert.ok(Math.abs(x - 430) < 1e-6 && Math.abs(y - 230) < 1e-6);
});
