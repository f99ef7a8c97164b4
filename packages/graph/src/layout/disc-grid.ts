import { floatAt } from "../columns.ts";

/**
 * Discs of one size within the unit disc, found by their place. The plane is cut into cells, about as many as there are
 * discs; each cell has a linked list of the discs whose centres are in it.
 */
export class DiscGrid {
  #heads = new Int32Array(16);
  #next = new Int32Array(16);
  #xs = new Float64Array(16);
  #ys = new Float64Array(16);
  #count = 0;
  #side = 1;
  /** The radius of all discs. */
  radius = 0;

  /** Takes all discs out, and makes room for `capacity` others. */
  reset(capacity: number, radius: number): void {
    this.#count = 0;
    this.radius = radius;
    this.#side = Math.max(1, Math.ceil(Math.sqrt(capacity)));
    const cells = this.#side * this.#side;
    if (cells > this.#heads.length) this.#heads = new Int32Array(2 * cells);
    this.#heads.fill(-1, 0, cells);
    if (capacity <= this.#xs.length) return;
    this.#next = new Int32Array(2 * capacity);
    this.#xs = new Float64Array(2 * capacity);
    this.#ys = new Float64Array(2 * capacity);
  }

  add(x: number, y: number): void {
    const cell = this.#cellOf(y) * this.#side + this.#cellOf(x);
    this.#xs[this.#count] = x;
    this.#ys[this.#count] = y;
    this.#next[this.#count] = this.#heads[cell] ?? -1;
    this.#heads[cell] = this.#count;
    this.#count += 1;
  }

  /** Whether a disc of this radius around a point would overlap none of the discs. */
  isFree(x: number, y: number, radius: number): boolean {
    const distance = this.radius + radius;
    const [left, right] = [this.#cellOf(x - distance), this.#cellOf(x + distance)];
    const [top, bottom] = [this.#cellOf(y - distance), this.#cellOf(y + distance)];
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) {
        if (this.#isNear(row * this.#side + column, x, y, distance)) return false;
      }
    }
    return true;
  }

  #isNear(cell: number, x: number, y: number, distance: number): boolean {
    for (let disc = this.#heads[cell] ?? -1; disc >= 0; disc = this.#next[disc] ?? -1) {
      const [dx, dy] = [floatAt(this.#xs, disc) - x, floatAt(this.#ys, disc) - y];
      if (dx * dx + dy * dy < distance * distance) return true;
    }
    return false;
  }

  /** The row or column of a coordinate, the nearest one if it is beyond the unit disc. */
  #cellOf(coordinate: number): number {
    const cell = Math.floor(((coordinate + 1) / 2) * this.#side);
    return Math.min(Math.max(cell, 0), this.#side - 1);
  }
}
