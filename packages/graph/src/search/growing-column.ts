import { at } from "../column.ts";

/** A column whose length is not known until it is full. */
export class GrowingColumn {
  #values = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return at(this.#values, index);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** The values so far, in a column of just their length. */
  taken(): Uint32Array {
    return this.#values.slice(0, this.#length);
  }
}
