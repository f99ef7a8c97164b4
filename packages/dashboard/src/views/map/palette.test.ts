import assert from "node:assert/strict";
import { test } from "node:test";
import type { MapFile } from "./map-file.ts";
import { inList, legendFor, paletteOf } from "./palette.ts";

/** Regions in rows, each of which touches its neighbours. */
const regions = Array.from({ length: 24 }, (_, number) => ({
  x: 0.1 + 0.13 * (number % 6),
  y: 0.1 + 0.13 * Math.floor(number / 6),
  radius: 0.064,
  name: `R${number}`,
  pages: 24 - number,
  parent: null,
  page: null,
}));
const map: MapFile = {
  graphVersion: 1,
  isByLinks: true,
  count: 0,
  xs: new Float32Array(),
  ys: new Float32Array(),
  radii: new Float32Array(),
  colours: new Uint8Array(),
  regions,
  bundles: [],
  legend: [
    { colour: "edited", value: 0, name: "2026-11-01", pages: 1 },
    { colour: "edited", value: 4, name: "2026-01-01", pages: 9 },
    { colour: "database", value: 0, name: "", pages: 3 },
    { colour: "database", value: 1, name: "Stars", pages: 7 },
  ],
};

test("GRAPH-30: regions that touch have different colours, on light and on dark ground", () => {
  for (const isDark of [false, true]) {
    const { css } = paletteOf("region", map, isDark);
    for (const [number, { x, y }] of regions.entries())
      for (const [other, beside] of regions.entries())
        if (other > number && Math.hypot(x - beside.x, y - beside.y) < 0.14)
          assert.notEqual(css(number), css(other), `${number} and ${other}`);
  }
});

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(css: string): number {
  const [red = 0, green = 0, blue = 0] = (css.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (a: string, b: string) => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

test("pages of a region and of a list stand out from the paper by 3 : 1", () => {
  for (const [isDark, paper] of [
    [false, "rgb(250 248 243)"],
    [true, "rgb(22 21 19)"],
  ] as const) {
    for (let number = 0; number < regions.length; number += 1)
      assert.ok(contrast(paletteOf("region", map, isDark).css(number), paper) >= 3, `${number} ${isDark}`);
    assert.ok(contrast(paletteOf("stale", map, isDark).css(inList), paper) >= 3);
  }
});

test("the colour of the last edit fades with age, and each list has one colour for its pages", () => {
  const { css } = paletteOf("edited", map, false);
  assert.ok(luminance(css(0)) < luminance(css(2)) && luminance(css(2)) < luminance(css(4)));
  const orphans = paletteOf("orphan", map, false);
  assert.notEqual(orphans.css(inList), orphans.css(0));
});

test("the legend lists the largest first, and times in their order", () => {
  assert.deepEqual(
    legendFor("database", map).map(({ value }) => value),
    [1, 0],
  );
  assert.deepEqual(
    legendFor("edited", map).map(({ value }) => value),
    [0, 4],
  );
  assert.equal(legendFor("region", map)[0]?.name, "R0");
});
