import { at } from "../column.ts";

/**
 * A set of places in the ranking of a graph's nodes: a bit for each, 32 of them a block, and a bit for each block that
 * is not empty. So a set of a few costs next to nothing to look through, and one of millions is combined in microseconds.
 */
export class RankSet {
  readonly #bits: Uint32Array;
  readonly #blocks: Uint32Array;

  /** An empty set with room for so many places. */
  constructor(placeCount: number) {
    this.#bits = new Uint32Array((placeCount + 31) >>> 5);
    this.#blocks = new Uint32Array((this.#bits.length + 31) >>> 5);
  }

  /** How many places it has room for, at least. */
  get room(): number {
    return 32 * this.#bits.length;
  }

  clear(): void {
    const bits = this.#bits;
    if (this.#isSpread()) bits.fill(0);
    else
      eachBlock(this.#blocks, (block) => {
        bits[block] = 0;
      });
    this.#blocks.fill(0);
  }

  /** A set with the same places, made of an empty one with no less room. */
  copyInto(empty: RankSet): RankSet {
    if (this.#isSpread()) {
      empty.#bits.set(this.#bits);
      empty.#blocks.set(this.#blocks);
    } else empty.unite(this);
    return empty;
  }

  /** Whether it has places in so many parts that memory is rather moved as a whole. */
  #isSpread(): boolean {
    let parts = 0;
    for (let word = 0; word < this.#blocks.length; word += 1) if (at(this.#blocks, word) !== 0) parts += 1;
    return parts > this.#blocks.length / 4;
  }

  add(place: number): void {
    this.#bits[place >>> 5] = at(this.#bits, place >>> 5) | (1 << (place & 31));
    this.#blocks[place >>> 10] = at(this.#blocks, place >>> 10) | (1 << ((place >>> 5) & 31));
  }

  /** Adds a part of a column of places. */
  addAll(places: Uint32Array, from: number, to: number): void {
    const [bits, blocks] = [this.#bits, this.#blocks];
    for (let position = from; position < to; position += 1) {
      const place = at(places, position);
      bits[place >>> 5] = at(bits, place >>> 5) | (1 << (place & 31));
      blocks[place >>> 10] = at(blocks, place >>> 10) | (1 << ((place >>> 5) & 31));
    }
  }

  has(place: number): boolean {
    return (at(this.#bits, place >>> 5) & (1 << (place & 31))) !== 0;
  }

  /** Whether it has a place from one on and before another. */
  hasAny(from: number, to: number): boolean {
    for (let place = from; place < to; place += 1) if (this.has(place)) return true;
    return false;
  }

  /** Adds the places of another set, of the same graph as in all that follows. */
  unite(other: RankSet): void {
    const [bits, blocks, others] = [this.#bits, this.#blocks, other.#bits];
    eachBlock(other.#blocks, (block) => {
      bits[block] = at(bits, block) | at(others, block);
      blocks[block >>> 5] = at(blocks, block >>> 5) | (1 << (block & 31));
    });
  }

  /** Keeps the places that another set has too. */
  intersect(other: RankSet): void {
    const others = other.#bits;
    this.#keepOfBlocks((bits, block) => bits & at(others, block));
  }

  /** Keeps the places that pass a test. */
  filter(keeps: (place: number) => boolean): void {
    this.#keepOfBlocks((bits, block) => {
      let kept = bits;
      for (let left = bits; left !== 0; left &= left - 1)
        if (!keeps((block << 5) + lowestBit(left))) kept &= ~(left & -left);
      return kept;
    });
  }

  #keepOfBlocks(keep: (bits: number, block: number) => number): void {
    const [bits, blocks] = [this.#bits, this.#blocks];
    eachBlock(blocks, (block) => {
      const kept = keep(at(bits, block), block);
      bits[block] = kept;
      if (kept === 0) blocks[block >>> 5] = at(blocks, block >>> 5) & ~(1 << (block & 31));
    });
  }

  /** The first place from a place on that is in this set and not in another, -1 where there is none. */
  next(start: number, without: RankSet): number {
    const first = start >>> 5;
    if (first >= this.#bits.length) return -1;
    const here = this.#left(first, without) & (-1 << (start & 31));
    if (here !== 0) return (first << 5) + lowestBit(here);
    for (let word = (first + 1) >>> 5; word < this.#blocks.length; word += 1) {
      const beyond = word === (first + 1) >>> 5 ? -1 << ((first + 1) & 31) : -1;
      for (let left = at(this.#blocks, word) & beyond; left !== 0; left &= left - 1) {
        const block = (word << 5) + lowestBit(left);
        const bits = this.#left(block, without);
        if (bits !== 0) return (block << 5) + lowestBit(bits);
      }
    }
    return -1;
  }

  #left(block: number, without: RankSet): number {
    return at(this.#bits, block) & ~at(without.#bits, block);
  }

  /** How many places it has, counted no further than needed to see that they are more than `most`. */
  sizeUpTo(most: number): number {
    let size = 0;
    for (let word = 0; word < this.#blocks.length && size <= most; word += 1) {
      for (let left = at(this.#blocks, word); left !== 0; left &= left - 1) {
        for (let bits = at(this.#bits, (word << 5) + lowestBit(left)); bits !== 0; bits &= bits - 1)
          size += 1;
      }
    }
    return size;
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** Visits the blocks of a set that are not empty, as they were when their 32 began. */
function eachBlock(blocks: Uint32Array, visit: (block: number) => void): void {
  for (let word = 0; word < blocks.length; word += 1) {
    const first = word << 5;
    let left = at(blocks, word);
    if (left === 0xffff_ffff) for (let block = first; block < first + 32; block += 1) visit(block);
    else for (; left !== 0; left &= left - 1) visit(first + lowestBit(left));
  }
}
