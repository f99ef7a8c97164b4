import { toScreen } from "./camera.ts";
import { dotRadius, type Sight } from "./dots-layer.ts";
import { at, type MapFile } from "./map-file.ts";
import type { MapTheme } from "./map-theme.ts";

/** Links of single pages, as pairs of positions. */
export type Pairs = readonly (readonly [from: number, to: number])[];

/** How far a link between regions leans to their middles, where the bundles run. */
const bundling = 0.72;

/** Draws links between pages. Those between regions run along the bundles. */
export function drawLinks(
  context: CanvasRenderingContext2D,
  map: MapFile,
  tops: Uint8Array,
  sight: Sight,
  pairs: Pairs,
): void {
  context.beginPath();
  for (const [from, to] of pairs) traceLink(context, map, tops, sight, from, to);
  context.stroke();
}

function traceLink(
  context: CanvasRenderingContext2D,
  map: MapFile,
  tops: Uint8Array,
  { camera, size }: Sight,
  from: number,
  to: number,
): void {
  const [x, y] = toScreen(camera, size, at(map.xs, from), at(map.ys, from));
  const [toX, toY] = toScreen(camera, size, at(map.xs, to), at(map.ys, to));
  const [first, last] = [map.regions[at(tops, from)], map.regions[at(tops, to)]];
  context.moveTo(x, y);
  if (first === undefined || last === undefined || first === last) {
    // Bent a little, always to the same side.
    context.quadraticCurveTo((x + toX) / 2 - (toY - y) * 0.1, (y + toY) / 2 + (toX - x) * 0.1, toX, toY);
    return;
  }
  const [firstX, firstY] = toScreen(camera, size, first.x, first.y);
  const [lastX, lastY] = toScreen(camera, size, last.x, last.y);
  const lean = (value: number, middle: number) => value + (middle - value) * bundling;
  context.bezierCurveTo(lean(x, firstX), lean(y, firstY), lean(toX, lastX), lean(toY, lastY), toX, toY);
}

/** Draws a ring around a page. */
export function drawRing(
  context: CanvasRenderingContext2D,
  map: MapFile,
  { camera, size }: Sight,
  page: number,
  gap = 3,
): void {
  const [x, y] = toScreen(camera, size, at(map.xs, page), at(map.ys, page));
  context.beginPath();
  context.arc(x, y, dotRadius(map, page, camera.scale) + gap, 0, 2 * Math.PI);
  context.stroke();
}

/** Draws a path: its steps as one thread above the map, and its pages as beads. */
export function drawPath(
  context: CanvasRenderingContext2D,
  map: MapFile,
  tops: Uint8Array,
  sight: Sight,
  path: readonly number[],
  { thread, paper }: MapTheme,
): void {
  const steps = path.slice(1).map((to, index) => [path[index] ?? to, to] as const);
  for (const [colour, width] of [
    [paper, 7],
    [thread, 3],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    drawLinks(context, map, tops, sight, steps);
  }
  for (const page of path) {
    const [x, y] = toScreen(sight.camera, sight.size, at(map.xs, page), at(map.ys, page));
    context.beginPath();
    context.arc(x, y, Math.max(6, dotRadius(map, page, sight.camera.scale)), 0, 2 * Math.PI);
    context.fillStyle = thread;
    context.fill();
    context.strokeStyle = paper;
    context.lineWidth = 2;
    context.stroke();
  }
}
