import assert from "node:assert/strict";
import { test } from "node:test";
import { mapOf } from "@clew/graph";
import { buildGraph, id, page } from "@clew/graph/testing";
import { fitted, panned, toMap, toScreen, zoomed } from "../../packages/dashboard/src/views/map/camera.ts";
import { labelled, nodeAt, readMapFile } from "../../packages/dashboard/src/views/map/map-file.ts";

const pages = Array.from({ length: 40 }, (_, n) => page(n, { parentId: n < 20 ? null : id(n % 3) }));
const bytes = mapOf(buildGraph({ nodes: pages, references: [] }).columns, 5);
const map = readMapFile(new Uint8Array(bytes).buffer);

test("GRAPH-30: the dashboard reads the maps that the server makes", () => {
  assert.deepEqual([map.graphVersion, map.count, map.discs.length], [5, 40, 3]);
  for (const { position, end, x, y, radius } of map.discs) {
    for (let below = position; below < end; below += 1) {
      const [placeX, placeY] = map.place(below);
      assert.ok(Math.hypot(placeX - x, placeY - y) <= radius + 1e-4, `${below} is not in ${position}`);
    }
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
  assert.deepEqual(
    all.slice(0, 3),
    map.discs.map(({ position }) => position),
  );
  const left = labelled(map, (x) => x < 0.5, 40);
  for (const position of left.filter((each) => !all.slice(0, 3).includes(each)))
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
