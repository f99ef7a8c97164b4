import type { MapFile } from "./map-file.ts";

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

const largestScale = 4_000_000;

/** Everything on the map in sight. */
export function fitted(map: MapFile, { width, height }: Size): Camera {
  let [left, top, right, bottom] = [1, 1, 0, 0];
  const take = (x: number, y: number, radius: number) => {
    left = Math.min(left, x - radius);
    right = Math.max(right, x + radius);
    top = Math.min(top, y - radius);
    bottom = Math.max(bottom, y + radius);
  };
  for (const { x, y, radius } of map.discs) take(x, y, radius);
  for (let position = 0; position < map.count; position += 1)
    take(...map.place(position), map.radius(position));
  if (map.count === 0) return { x: 0.5, y: 0.5, scale: Math.min(width, height) };
  const margin = 0.92;
  const scale =
    margin * Math.min(width / Math.max(right - left, 1e-4), height / Math.max(bottom - top, 1e-4));
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

/** Zooms so that the point of the map below (`x`, `y`), measured from the middle of the picture, stays there. */
export function zoomed(camera: Camera, factor: number, x = 0, y = 0): Camera {
  const scale = Math.min(Math.max(camera.scale * factor, 60), largestScale);
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

export const toScreen = (camera: Camera, size: Size, x: number, y: number): readonly [number, number] => [
  (x - camera.x) * camera.scale + size.width / 2,
  (y - camera.y) * camera.scale + size.height / 2,
];

export const toMap = (camera: Camera, size: Size, x: number, y: number): readonly [number, number] => [
  camera.x + (x - size.width / 2) / camera.scale,
  camera.y + (y - size.height / 2) / camera.scale,
];
