import { PlaceSet } from "./place-set.ts";

/** Sets that are kept between searches, at most: 8 MB for a million places. */
const keptAtMost = 64;

/**
 * Memory for the sets of one search, used again by the next: a search is synchronous, so that all of them can share
 * it, whatever graphs they are in.
 */
export class SetPool {
  readonly #kept: PlaceSet[] = [];
  #taken = 0;

  /** An empty set, until the pool is reset. */
  take(placeCount: number): PlaceSet {
    const kept = this.#kept[this.#taken];
    const set = kept !== undefined && kept.room >= placeCount ? kept : new PlaceSet(placeCount);
    set.clear();
    if (this.#taken < keptAtMost) this.#kept[this.#taken] = set;
    this.#taken += 1;
    return set;
  }

  copy(set: PlaceSet): PlaceSet {
    return set.copyInto(this.take(set.room));
  }

  /** Takes back all sets. */
  reset(): void {
    this.#taken = 0;
  }
}
