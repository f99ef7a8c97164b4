import { type Camera, type Size, toMap } from "./camera.ts";
import { DotRaster, largestStamp } from "./dot-raster.ts";
import { at, type MapFile } from "./map-file.ts";
import type { MapTheme } from "./map-theme.ts";
import type { PageIndex } from "./page-index.ts";
import type { Palette } from "./palette.ts";

/** The radius of dots on the screen, in CSS pixels: never smaller, never larger, and from `even` on growing more slowly than the map. */
export const dotRadii = { least: 0.8, even: 4.5, most: 18 } as const;
const slowed = 0.4;

/** The radius of a page's dot in CSS pixels. */
export function dotRadius(map: MapFile, page: number, scale: number): number {
  const radius = at(map.radii, page) * scale;
  if (radius <= dotRadii.even) return Math.max(dotRadii.least, radius);
  return Math.min(dotRadii.most, dotRadii.even + (radius - dotRadii.even) * slowed);
}

/** How pages look. A change is a new object. */
export interface Look {
  /** The colours of pages. */
  readonly palette: Palette;
  /** The colours of regions, and the region of the first level that each page is in. */
  readonly ground: Palette;
  readonly tops: Uint8Array;
  readonly theme: MapTheme;
  readonly colours: Uint8Array;
  /** 1 for each page that is shown in full, 0 for those that are dimmed; null if all are shown. */
  readonly shown: Uint8Array | null;
  /** 1 for each page that is to be seen among thousands, such as one that was searched for; null if there are none. */
  readonly sought: Uint8Array | null;
}

/** The part of a map that a picture shows. */
export interface Sight {
  readonly camera: Camera;
  readonly size: Size;
  /** Pixels of the canvas for each CSS pixel. */
  readonly ratio: number;
}

/** The share that is left of a dimmed page. */
export const dimmedShare = 0.15;
const fullStrength = 0.92;
const leastSought = 3.2;

/** Milliseconds of drawing up to which all pages are drawn anew in each frame of a movement. */
const quickMs = 10;
/** Milliseconds after which they are in any case. */
const staleMs = 90;

/**
 * The dots of all pages, on a canvas of their own. While the map moves and drawing takes long, the canvas is shown as it was, moved
 * and stretched: the map follows the pointer at once, whatever its size.
 */
export class DotsLayer {
  readonly #map: MapFile;
  readonly #index: PageIndex;
  readonly #canvas = document.createElement("canvas");
  #image: ImageData | null = null;
  #drawn: { readonly sight: Sight; readonly look: Look; readonly at: number } | null = null;
  #lastMs = 0;

  constructor(map: MapFile, index: PageIndex) {
    this.#map = map;
    this.#index = index;
  }

  /** Draws the dots. Returns whether they are those of this very sight; if not, they should be drawn again soon. */
  draw(context: CanvasRenderingContext2D, sight: Sight, look: Look, isMoving: boolean): boolean {
    const { size, ratio, camera } = sight;
    const now = performance.now();
    const before = this.#drawn;
    const isSame = before !== null && before.look === look && isSameSight(before.sight, sight);
    const mayBeStale =
      isMoving &&
      this.#lastMs > quickMs &&
      before?.look === look &&
      before.sight.size === size &&
      now - before.at < Math.max(staleMs, 3 * this.#lastMs);
    if (!isSame && !mayBeStale) {
      this.#redraw(sight, look);
      const end = performance.now();
      this.#lastMs = end - now;
      this.#drawn = { sight, look, at: end };
    }
    const from = this.#drawn?.sight.camera ?? camera;
    const stretch = camera.scale / from.scale;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    const left = (size.width / 2) * (1 - stretch) + (from.x - camera.x) * camera.scale;
    const top = (size.height / 2) * (1 - stretch) + (from.y - camera.y) * camera.scale;
    context.drawImage(
      this.#canvas,
      left * ratio,
      top * ratio,
      this.#canvas.width * stretch,
      this.#canvas.height * stretch,
    );
    context.restore();
    return isSame || !mayBeStale;
  }

  #redraw(sight: Sight, look: Look): void {
    const { camera, size, ratio } = sight;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    const context = this.#canvas.getContext("2d");
    if (context === null || width === 0 || height === 0) return;
    if (this.#canvas.width !== width || this.#canvas.height !== height || this.#image === null) {
      [this.#canvas.width, this.#canvas.height] = [width, height];
      this.#image = context.createImageData(width, height);
    } else this.#image.data.fill(0);
    const raster = new DotRaster(this.#image.data, width, height);
    const large = new Map<number, number[]>();
    const bgr = bgrOf(look.palette);
    const scale = camera.scale * ratio;
    const [dx, dy] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale];
    const { xs, ys } = this.#map;
    const { colours, shown, sought } = look;
    const radiusOf = (page: number) => {
      const radius = dotRadius(this.#map, page, camera.scale);
      return ratio * (sought !== null && at(sought, page) === 1 ? Math.max(leastSought, radius) : radius);
    };
    this.#forEachInSight(sight, (page) => {
      const radius = radiusOf(page);
      const isFull = shown === null || at(shown, page) === 1;
      const colour = at(colours, page);
      if (radius > largestStamp) {
        const key = 2 * colour + (isFull ? 1 : 0);
        const same = large.get(key);
        if (same === undefined) large.set(key, [page]);
        else same.push(page);
        return;
      }
      const strength = 256 * fullStrength * (isFull ? 1 : dimmedShare);
      raster.dot(at(xs, page) * scale + dx, at(ys, page) * scale + dy, radius, at(bgr, colour), strength);
    });
    context.putImageData(this.#image, 0, 0);
    for (const [key, pages] of large) {
      context.fillStyle = look.palette.css(key >> 1);
      context.globalAlpha = fullStrength * (key % 2 === 1 ? 1 : dimmedShare);
      context.beginPath();
      for (const page of pages) {
        const [x, y] = [at(xs, page) * scale + dx, at(ys, page) * scale + dy];
        const radius = radiusOf(page);
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      context.fill();
    }
    context.globalAlpha = 1;
  }

  #forEachInSight({ camera, size }: Sight, visit: (page: number) => void): void {
    const margin = dotRadii.most;
    const [left, top] = toMap(camera, size, -margin, -margin);
    const [right, bottom] = toMap(camera, size, size.width + margin, size.height + margin);
    this.#index.forEachNear({ left, top, right, bottom }, visit);
  }
}

const isSameSight = (a: Sight, b: Sight) =>
  a.camera.x === b.camera.x &&
  a.camera.y === b.camera.y &&
  a.camera.scale === b.camera.scale &&
  a.size.width === b.size.width &&
  a.size.height === b.size.height &&
  a.ratio === b.ratio;

const bgrOf = ({ dots }: Palette): Uint32Array =>
  Uint32Array.from(
    { length: 256 },
    (_, number) => (at(dots, 3 * number + 2) << 16) | (at(dots, 3 * number + 1) << 8) | at(dots, 3 * number),
  );
