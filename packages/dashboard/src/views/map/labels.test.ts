import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted, toScreen } from "./camera.ts";
import { type Area, pagesToName, placeLabels } from "./labels.ts";
import { at, type MapFile } from "./map-file.ts";
import { PageIndex } from "./page-index.ts";

const count = 4000;
const golden = Math.PI * (3 - Math.sqrt(5));
const region = (x: number, y: number, radius: number, name: string) => ({
  x,
  y,
  radius,
  name,
  pages: count / 2,
  parent: null,
  page: null,
});
const regions = [region(0.3, 0.4, 0.2, "West"), region(0.75, 0.4, 0.2, "East")];
/** Two regions full of pages; those in the middle are the most important. */
const map: MapFile = {
  graphVersion: 1,
  isByLinks: true,
  count,
  xs: Float32Array.from(
    { length: count },
    (_, page) => homeOf(page).x + spreadOf(page) * Math.cos(page * golden),
  ),
  ys: Float32Array.from(
    { length: count },
    (_, page) => homeOf(page).y + spreadOf(page) * Math.sin(page * golden),
  ),
  radii: Float32Array.from({ length: count }, (_, page) => 0.002 - 1e-7 * page),
  colours: Uint8Array.from({ length: count }, (_, page) => page % 2),
  regions,
  bundles: [],
  legend: [],
};
function homeOf(page: number) {
  const [west, east] = regions;
  assert.ok(west !== undefined && east !== undefined);
  return page % 2 === 0 ? west : east;
}
function spreadOf(page: number) {
  return 0.19 * Math.sqrt(page / count);
}

const size = { width: 1200, height: 800 };
const sight = (zoom: number) => {
  const whole = fitted(map, size);
  return { camera: { ...whole, scale: whole.scale * zoom }, size, ratio: 1 };
};
const measure = { font: "", measureText: (text: string) => ({ width: 7 * text.length }) };
const theme = { isDark: false, ink: "", paper: "", thread: "", titleFont: "serif", bodyFont: "sans-serif" };
const index = new PageIndex(map);
const meets = (a: Area, b: Area) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

test("GRAPH-30: no name lies over another, under a control, or across the edge of the picture", () => {
  const covered = [{ left: 900, top: 700, right: 1200, bottom: 800 }];
  for (const zoom of [0.7, 1, 2.4, 9]) {
    const labels = placeLabels(
      measure,
      map,
      sight(zoom),
      {
        first: [7],
        linked: [20, 21, 22],
        pages: pagesToName(map, index, sight(zoom), null),
        titleOf: (page) => `Page ${page}`,
      },
      { theme, covered },
    );
    assert.ok(labels.length > 8, `${labels.length} at ${zoom}`);
    for (const [number, { area, text }] of labels.entries()) {
      assert.ok(
        area.left >= 0 && area.right <= size.width && area.top >= 0 && area.bottom <= size.height,
        text,
      );
      for (const other of [
        ...labels.slice(number + 1),
        ...covered.map((hidden) => ({ area: hidden, text: "a control" })),
      ])
        assert.ok(!meets(area, other.area), `${text} over ${other.text} at ${zoom}`);
    }
  }
});

test("GRAPH-30: regions have their names at every zoom at which they are in sight, and at most one name has 90 × 24 pixels", () => {
  for (const zoom of [0.7, 1, 3]) {
    const seen = sight(zoom);
    const pages = pagesToName(map, index, seen, null);
    const wanted = { first: [], linked: [], pages, titleOf: () => "x" };
    const labels = placeLabels(measure, map, seen, wanted, { theme, covered: [] });
    for (const { name, x, y, radius } of regions) {
      const [middleX, middleY] = toScreen(seen.camera, size, x, y);
      const isWhollyIn =
        middleX > 0 && middleX < size.width && middleY > 0 && middleY - radius * seen.camera.scale > 20;
      if (isWhollyIn)
        assert.ok(
          labels.some(({ text }) => text === name),
          `${name} at ${zoom}`,
        );
    }
    for (const [number, label] of labels.entries())
      for (const other of labels.slice(number + 1))
        assert.ok(Math.abs(label.y - other.y) >= 12 || Math.abs(label.x - other.x) >= 45, label.text);
  }
});

test("GRAPH-30: a large region has names of its most important pages at every zoom, and panning keeps them", () => {
  for (const zoom of [1, 2, 6]) {
    const pages = pagesToName(map, index, sight(zoom), null);
    assert.ok(pages.length >= 20 && pages.length <= 100, `${pages.length} at ${zoom}`);
    assert.deepEqual(
      pages,
      pages.toSorted((a, b) => at(map.radii, b) - at(map.radii, a) || a - b),
    );
  }
  const seen = sight(3);
  const moved = { ...seen, camera: { ...seen.camera, x: seen.camera.x + 40 / seen.camera.scale } };
  const before = new Set(pagesToName(map, index, seen, null));
  const kept = pagesToName(map, index, moved, null).filter((page) => before.has(page));
  assert.ok(kept.length > 0.8 * before.size, `${kept.length} of ${before.size}`);
});

test("GRAPH-30: names are of pages that stand out", () => {
  const shown = new Uint8Array(count);
  shown[41] = 1;
  assert.deepEqual(pagesToName(map, index, sight(1), shown), [41]);
});
