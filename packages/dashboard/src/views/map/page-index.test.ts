import assert from "node:assert/strict";
import { test } from "node:test";
import { at, type MapFile } from "./map-file.ts";
import { PageIndex } from "./page-index.ts";

/** Pages at places that follow from their numbers. */
function madeMap(count: number): MapFile {
  const place = (page: number, step: number) => ((page + 1) * step) % 1;
  return {
    graphVersion: 1,
    isByLinks: false,
    count,
    xs: Float32Array.from({ length: count }, (_, page) => place(page, 0.754877666)),
    ys: Float32Array.from({ length: count }, (_, page) => place(page, 0.569840291)),
    radii: new Float32Array(count).fill(0.001),
    colours: new Uint8Array(count),
    regions: [],
    bundles: [],
    legend: [],
  };
}

const map = madeMap(3000);
const index = new PageIndex(map);
const all = Array.from({ length: map.count }, (_, page) => page);
const distance = (page: number, x: number, y: number) =>
  Math.hypot(at(map.xs, page) - x, at(map.ys, page) - y);

test("the nearest page to a point is the one that a look at all pages finds", () => {
  for (let probe = 0; probe < 300; probe += 1) {
    const [x, y] = [(probe * 0.618) % 1, (probe * 0.414) % 1];
    const expected = all
      .filter((page) => distance(page, x, y) <= 0.01)
      .toSorted((a, b) => distance(a, x, y) - distance(b, x, y))[0];
    assert.equal(index.nearest(x, y, 0.01), expected ?? null);
  }
  assert.equal(index.nearest(5, 5, 0.01), null);
  assert.equal(new PageIndex(madeMap(0)).nearest(0.5, 0.5, 1), null);
});

test("a box has all of its pages", () => {
  const box = { left: 0.2, top: 0.3, right: 0.35, bottom: 0.9 };
  const found = new Set<number>();
  index.forEachNear(box, (page) => found.add(page));
  for (const page of all) {
    const [x, y] = [at(map.xs, page), at(map.ys, page)];
    if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) assert.ok(found.has(page));
  }
  assert.ok(found.size < map.count);
});

test("GRAPH-30: an arrow leads to the nearest page in its direction, and each page can be left again", () => {
  for (const from of all.slice(0, 200)) {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const costOf = (page: number) => {
        const [x, y] = [at(map.xs, page) - at(map.xs, from), at(map.ys, page) - at(map.ys, from)];
        const [along, across] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
        return page === from || along <= 0 || across > along ? Number.POSITIVE_INFINITY : along + 2 * across;
      };
      const best = all.reduce((nearest, page) => (costOf(page) < costOf(nearest) ? page : nearest), 0);
      const expected = costOf(best) === Number.POSITIVE_INFINITY ? null : best;
      assert.equal(index.inDirection(from, dx, dy), expected);
    }
  }
});
