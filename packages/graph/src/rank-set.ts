import { at } from "./columns.ts";

/**
 * A set of ranks, or of nodes: a bit for each, 32 of them a block, and a bit for each block that is not empty. Iterating
 * over a few among a million costs next to nothing, and sets of millions are combined in microseconds.
 */
export class RankSet {
  readonly #bits: Uint32Array;
  readonly #blocks: Uint32Array;

  /** An empty set for ranks below `capacity`. */
  constructor(capacity: number) {
    this.#bits = new Uint32Array((capacity + 31) >>> 5);
    this.#blocks = new Uint32Array((this.#bits.length + 31) >>> 5);
  }

  /** The memory of a set of that capacity. */
  static byteLength(capacity: number): number {
    const blocks = (capacity + 31) >>> 5;
    return 4 * (blocks + ((blocks + 31) >>> 5));
  }

  /** A set accepts all ranks below this number. */
  get capacity(): number {
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

  /** Copies this set into an empty one of at least its capacity, and returns that. */
  copyInto(empty: RankSet): RankSet {
    if (this.#isSpread()) {
      empty.#bits.set(this.#bits);
      empty.#blocks.set(this.#blocks);
    } else empty.unite(this);
    return empty;
  }

  /** Whether operations on the whole memory are faster, because most blocks are in use. */
  #isSpread(): boolean {
    let parts = 0;
    for (let word = 0; word < this.#blocks.length; word += 1) if (at(this.#blocks, word) !== 0) parts += 1;
    return parts > this.#blocks.length / 4;
  }

  /** Adds the ranks in part of a column. */
  addAll(ranks: Uint32Array, from: number, to: number): void {
    const [bits, blocks] = [this.#bits, this.#blocks];
    for (let position = from; position < to; position += 1) {
      const rank = at(ranks, position);
      bits[rank >>> 5] = at(bits, rank >>> 5) | (1 << (rank & 31));
      blocks[rank >>> 10] = at(blocks, rank >>> 10) | (1 << ((rank >>> 5) & 31));
    }
  }

  add(rank: number): void {
    const [bits, blocks] = [this.#bits, this.#blocks];
    bits[rank >>> 5] = at(bits, rank >>> 5) | (1 << (rank & 31));
    blocks[rank >>> 10] = at(blocks, rank >>> 10) | (1 << ((rank >>> 5) & 31));
  }

  has(rank: number): boolean {
    return (at(this.#bits, rank >>> 5) & (1 << (rank & 31))) !== 0;
  }

  /** Whether it contains a rank from `from` up to, but not including, `to`. */
  hasAny(from: number, to: number): boolean {
    for (let rank = from; rank < to; rank += 1) if (this.has(rank)) return true;
    return false;
  }

  /** Adds the ranks of another set. Here and below, sets are of the same graph. */
  unite(other: RankSet): void {
    const [bits, blocks, others] = [this.#bits, this.#blocks, other.#bits];
    eachBlock(other.#blocks, (block) => {
      bits[block] = at(bits, block) | at(others, block);
      blocks[block >>> 5] = at(blocks, block >>> 5) | (1 << (block & 31));
    });
  }

  /** Removes the ranks that another set does not contain. */
  intersect(other: RankSet): void {
    const others = other.#bits;
    this.#keepOfBlocks((bits, block) => bits & at(others, block));
  }

  /** Removes the ranks that fail a test. */
  filter(passes: (rank: number) => boolean): void {
    this.#keepOfBlocks((bits, block) => {
      let kept = bits;
      for (let left = bits; left !== 0; left &= left - 1)
        if (!passes((block << 5) + lowestBit(left))) kept &= ~(left & -left);
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

  /** The first rank from `start` on that is in this set and not in another, -1 if there is none. */
  next(start: number, without: RankSet): number {
    const first = start >>> 5;
    if (first >= this.#bits.length) return -1;
    const here = this.#difference(first, without) & (-1 << (start & 31));
    if (here !== 0) return (first << 5) + lowestBit(here);
    for (let word = (first + 1) >>> 5; word < this.#blocks.length; word += 1) {
      const beyond = word === (first + 1) >>> 5 ? -1 << ((first + 1) & 31) : -1;
      for (let left = at(this.#blocks, word) & beyond; left !== 0; left &= left - 1) {
        const block = (word << 5) + lowestBit(left);
        const bits = this.#difference(block, without);
        if (bits !== 0) return (block << 5) + lowestBit(bits);
      }
    }
    return -1;
  }

  #difference(block: number, without: RankSet): number {
    return at(this.#bits, block) & ~at(without.#bits, block);
  }

  /** Visits the ranks in order. */
  each(visit: (rank: number) => void): void {
    eachBlock(this.#blocks, (block) => {
      for (let bits = at(this.#bits, block); bits !== 0; bits &= bits - 1)
        visit((block << 5) + lowestBit(bits));
    });
  }

  /** Visits the ranks that are not in another set, in order. */
  eachBut(without: RankSet, visit: (rank: number) => void): void {
    eachBlock(this.#blocks, (block) => {
      for (let bits = this.#difference(block, without); bits !== 0; bits &= bits - 1)
        visit((block << 5) + lowestBit(bits));
    });
  }

  /** The number of ranks. */
  size(): number {
    return this.sizeUpTo(Number.POSITIVE_INFINITY);
  }

  /** The number of ranks, or any number above `max` if there are more than `max`. */
  sizeUpTo(max: number): number {
    let size = 0;
    for (let word = 0; word < this.#blocks.length && size <= max; word += 1) {
      for (let left = at(this.#blocks, word); left !== 0; left &= left - 1) {
        for (let bits = at(this.#bits, (word << 5) + lowestBit(left)); bits !== 0; bits &= bits - 1)
          size += 1;
      }
    }
    return size;
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** Visits the blocks that are not empty. `visit` may empty the block that it is called with. */
function eachBlock(blocks: Uint32Array, visit: (block: number) => void): void {
  for (let word = 0; word < blocks.length; word += 1) {
    const first = word << 5;
    let left = at(blocks, word);
    if (left === 0xffff_ffff) for (let block = first; block < first + 32; block += 1) visit(block);
    else for (; left !== 0; left &= left - 1) visit(first + lowestBit(left));
  }
}

/** Sets that the pool holds on to: 8 MB for a million titles. */
const maxPooledSets = 64;

/**
 * Memory for the sets of one search, reused by the next. Searches in all graphs share it: see the rule on scratch memory
 * at `Graph`.
 */
export class SetPool {
  readonly #sets: RankSet[] = [];
  #taken = 0;

  /** An empty set. It belongs to the caller until the pool is reset. */
  take(capacity: number): RankSet {
    const pooled = this.#sets[this.#taken];
    const set = pooled !== undefined && pooled.capacity >= capacity ? pooled : new RankSet(capacity);
    set.clear();
    if (this.#taken < maxPooledSets) this.#sets[this.#taken] = set;
    this.#taken += 1;
    return set;
  }

  copy(set: RankSet): RankSet {
    return set.copyInto(this.take(set.capacity));
  }

  /** Takes back all sets. */
  reset(): void {
    this.#taken = 0;
  }
}
