import { RankSet } from "./rank-set.ts";

/** Sets that are kept between searches, at most: 8 MB for a million places. */
const keptAtMost = 64;

/**
 * Memory for the sets of one search, used again by the next: a search is synchronous, so that all of them can share
 * it, whatever graphs they are in.
 */
export class SetPool {
  readonly #kept: RankSet[] = [];
  #taken = 0;

  /** An empty set, until the pool is reset. */
  take(placeCount: number): RankSet {
    const kept = this.#kept[this.#taken];
    const set = kept !== undefined && kept.room >= placeCount ? kept : new RankSet(placeCount);
    set.clear();
    if (this.#taken < keptAtMost) this.#kept[this.#taken] = set;
    this.#taken += 1;
    return set;
  }

  copy(set: RankSet): RankSet {
    return set.copyInto(this.take(set.room));
  }

  /** Takes back all sets. */
  reset(): void {
    this.#taken = 0;
  }
}
