import { at } from "./map-file.ts";

/** Steps of a pixel at which a dot may lie, and by which its radius may differ. */
const phases = 4;

/** The largest radius, in pixels, that is drawn here. */
export const largestStamp = 7;

/** How much of each pixel a dot covers, 0 to 255. */
interface Stamp {
  readonly side: number;
  readonly cover: Uint8Array;
}

/**
 * Draws small dots into the pixels of a picture. A hundred thousand of them take some milliseconds, where as many calls of a
 * canvas take a hundred. Where dots meet, the one that covers more of a pixel has it.
 */
export class DotRaster {
  /** RGBA in memory order, which is ABGR in the number on every machine that runs a browser of today. */
  readonly #pixels: Uint32Array;
  readonly #width: number;
  readonly #height: number;

  constructor(bytes: Uint8ClampedArray, width: number, height: number) {
    this.#pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
    this.#width = width;
    this.#height = height;
  }

  /** Draws a dot around (`x`, `y`), in pixels. `bgr` is its colour as a number, `strength` its alpha from 0 to 256. */
  dot(x: number, y: number, radius: number, bgr: number, strength: number): void {
    const { side, cover } = stampOf(
      Math.min(largestStamp, radius),
      Math.floor((x - Math.floor(x)) * phases),
      Math.floor((y - Math.floor(y)) * phases),
    );
    const left = Math.floor(x) - (side >> 1);
    const top = Math.floor(y) - (side >> 1);
    const [fromX, toX] = [Math.max(0, -left), Math.min(side, this.#width - left)];
    const [fromY, toY] = [Math.max(0, -top), Math.min(side, this.#height - top)];
    const pixels = this.#pixels;
    for (let row = fromY; row < toY; row += 1) {
      const line = (top + row) * this.#width + left;
      for (let column = fromX; column < toX; column += 1) {
        const alpha = (at(cover, row * side + column) * strength) >> 8;
        const index = line + column;
        if (alpha > at(pixels, index) >>> 24) pixels[index] = (alpha << 24) | bgr;
      }
    }
  }
}

const stamps: (Stamp | undefined)[] = [];

function stampOf(radius: number, phaseX: number, phaseY: number): Stamp {
  const steps = Math.max(1, Math.round(radius * phases));
  const key = (steps * phases + phaseX) * phases + phaseY;
  let stamp = stamps[key];
  if (stamp === undefined) {
    stamp = makeStamp(steps / phases, (phaseX + 0.5) / phases, (phaseY + 0.5) / phases);
    stamps[key] = stamp;
  }
  return stamp;
}

function makeStamp(radius: number, x: number, y: number): Stamp {
  // Pixels farther away are not touched, wherever in its pixel the middle is.
  const reach = Math.ceil(radius + 1 - 0.5 / phases) - 1;
  const side = 2 * reach + 1;
  const cover = Uint8Array.from({ length: side * side }, (_, index) => {
    const dx = (index % side) - reach + 0.5 - x;
    const dy = Math.floor(index / side) - reach + 0.5 - y;
    return Math.round(255 * Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(dx, dy))));
  });
  return { side, cover };
}
