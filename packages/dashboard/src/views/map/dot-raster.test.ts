import assert from "node:assert/strict";
import { test } from "node:test";
import { DotRaster } from "./dot-raster.ts";

const [width, height] = [40, 30];
const blue = 0xff_00_00;

function drawn(...dots: readonly (readonly [x: number, y: number, radius: number, strength: number])[]) {
  const bytes = new Uint8ClampedArray(4 * width * height);
  const raster = new DotRaster(bytes, width, height);
  for (const [x, y, radius, strength] of dots) raster.dot(x, y, radius, blue, strength);
  return (x: number, y: number) => [...bytes.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
}

/** The pixels that a dot covers, as parts of them, summed. */
function area(x: number, y: number, radius: number): number {
  const pixel = drawn([x, y, radius, 256]);
  let sum = 0;
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) sum += (pixel(column, row)[3] ?? 0) / 255;
  return sum;
}

test("a dot has its colour and about the area of its circle, wherever it lies within a pixel", () => {
  assert.deepEqual(drawn([20, 15, 4, 256])(20, 15), [0, 0, 255, 255]);
  for (const radius of [0.8, 1.6, 3, 5.5])
    for (const shift of [0, 0.3, 0.7])
      assert.ok(
        Math.abs(area(20 + shift, 15 + shift, radius) / (Math.PI * radius * radius) - 1) < 0.25,
        `${radius}`,
      );
});

test("a dot is cut at the edges of the picture", () => {
  assert.ok(area(0, 0, 5) > 15 && area(0, 0, 5) < 25);
  assert.equal(area(-20, 15, 5), 0);
  assert.equal(area(20, 90, 5), 0);
});

test("a dimmed dot is fainter, and does not hide one that is not", () => {
  const dimmed = drawn([20, 15, 4, 38]);
  assert.ok(Math.abs((dimmed(20, 15)[3] ?? 0) - 0.15 * 255) < 2);
  const both = drawn([20, 15, 4, 256], [21, 15, 4, 38]);
  assert.equal(both(20, 15)[3], 255);
});
