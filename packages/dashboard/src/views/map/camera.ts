import type { MapFile, Region } from "./map-file.ts";

/** The visible part of the map: its middle, and the width of the map in CSS pixels. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of a picture that are covered at its edges. */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const largestScale = 4_000_000;
const leastZoom = 0.5;

/** Everything on the map in sight. */
export function fitted(map: MapFile, size: Size, covered: Margins = noMargins): Camera {
  const { left, right, top, bottom } = boundsOf(map);
  return fittedTo(
    { x: (left + right) / 2, y: (top + bottom) / 2 },
    right - left,
    bottom - top,
    size,
    covered,
  );
}

function boundsOf({ regions }: MapFile) {
  if (regions.length === 0) return { left: 0, top: 0, right: 1, bottom: 1 };
  return {
    left: Math.min(...regions.map(({ x, radius }) => x - radius)),
    right: Math.max(...regions.map(({ x, radius }) => x + radius)),
    top: Math.min(...regions.map(({ y, radius }) => y - radius)),
    bottom: Math.max(...regions.map(({ y, radius }) => y + radius)),
  };
}

/** A place of the map: the middle of what is in sight, and how many times it is doubled against the whole map. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The place at which a region fills a picture, whatever the picture's size. */
export function placeOfRegion(map: MapFile, { x, y, radius }: Region): Place {
  const { top, bottom } = boundsOf(map);
  return { x, y, zoom: Math.log2((bottom - top) / (2.2 * radius)) };
}

const noMargins: Margins = { top: 0, right: 0, bottom: 0, left: 0 };

/** A part of the map, around its middle, in what is not covered. */
export function fittedTo(
  middle: { readonly x: number; readonly y: number },
  width: number,
  height: number,
  size: Size,
  covered: Margins = noMargins,
): Camera {
  const free = {
    width: Math.max(40, size.width - covered.left - covered.right),
    height: Math.max(40, size.height - covered.top - covered.bottom),
  };
  const scale = 0.96 * Math.min(free.width / Math.max(width, 1e-4), free.height / Math.max(height, 1e-4));
  return {
    x: middle.x + (covered.right - covered.left) / 2 / scale,
    y: middle.y + (covered.bottom - covered.top) / 2 / scale,
    scale,
  };
}

/** Zooms so that the point of the map below (`x`, `y`), measured from the middle of the picture, stays there. */
export function zoomed(camera: Camera, factor: number, x = 0, y = 0, whole = 60): Camera {
  const scale = Math.min(Math.max(camera.scale * factor, whole * leastZoom), largestScale);
  const kept = 1 / camera.scale - 1 / scale;
  return { x: camera.x + x * kept, y: camera.y + y * kept, scale };
}

/** Moves the map by a number of pixels. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  const within = (value: number) => Math.min(Math.max(value, -0.1), 1.1);
  return {
    ...camera,
    x: within(camera.x - dx / camera.scale),
    y: within(camera.y - dy / camera.scale),
  };
}

/** A camera on the way from one to another; `share` goes from 0 to 1. Zooms evenly to the eye. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const eased = share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
  const scale = from.scale * (to.scale / from.scale) ** eased;
  // The point that both cameras show at the same pixel stays there, so the way is a straight line on the screen.
  const moved = Math.abs(to.scale / from.scale - 1) < 1e-6 ? eased : moveShare(from.scale, to.scale, scale);
  return { x: from.x + (to.x - from.x) * moved, y: from.y + (to.y - from.y) * moved, scale };
}

const moveShare = (from: number, to: number, scale: number) => (1 / from - 1 / scale) / (1 / from - 1 / to);

export const toScreen = (camera: Camera, size: Size, x: number, y: number): readonly [number, number] => [
  (x - camera.x) * camera.scale + size.width / 2,
  (y - camera.y) * camera.scale + size.height / 2,
];

export const toMap = (camera: Camera, size: Size, x: number, y: number): readonly [number, number] => [
  camera.x + (x - size.width / 2) / camera.scale,
  camera.y + (y - size.height / 2) / camera.scale,
];
