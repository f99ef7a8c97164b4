import { at } from "../column.ts";

/**
 * How many steps each node is from where a walk began. Its memory serves walk after walk: beginning anew costs nothing,
 * however many nodes the graph has, because whatever an earlier walk noted lies below `#base`.
 */
export class Levels {
  readonly #size: number;
  #marks: Uint32Array = new Uint32Array(0);
  #base = 1;
  #highest = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Forgets the walk before. */
  begin(): void {
    if (this.#marks.length < this.#size) this.#marks = new Uint32Array(this.#size);
    this.#base += this.#highest + 1;
    this.#highest = 0;
    if (this.#base > 0xffff_ffff - this.#size) {
      this.#marks.fill(0);
      this.#base = 1;
    }
  }

  /** The level of a node, negative where the walk has not come by it. */
  of(node: number): number {
    return at(this.#marks, node) - this.#base;
  }

  set(node: number, level: number): void {
    this.#marks[node] = this.#base + level;
    if (level > this.#highest) this.#highest = level;
  }
}
