import type { PlaceSet } from "./place-set.ts";

/** Sets that are kept between searches, at most: 8 MB for a million places. */
const keptAtMost = 64;

/**
 * Memory for the sets of one search, used again by the next: a search is synchronous, so that all of them can share
 * it, whatever graphs they are in.
 */
export class SetPool {
  readonly #kept: PlaceSet[] = [];
  #taken = 0;

  /** An empty set, or a copy, until the pool is reset. */
  take(placeCount: number): PlaceSet {
    const length = (placeCount + 31) >>> 5;
    const kept = this.#kept[this.#taken];
    const memory = kept !== undefined && kept.length >= length ? kept : new Uint32Array(length);
    if (this.#taken < keptAtMost) this.#kept[this.#taken] = memory;
    this.#taken += 1;
    return memory.subarray(0, length).fill(0);
  }

  copy(set: PlaceSet): PlaceSet {
    const copied = this.take(32 * set.length);
    copied.set(set);
    return copied;
  }

  /** Takes back all sets. */
  reset(): void {
    this.#taken = 0;
  }
}
