/** The place of a page in the order of results. */
export interface ResultKey {
  /** Whether one section has all words. */
  readonly all: boolean;
  /** In millionths; 0 if the order is not by relevance. */
  readonly score: number;
  /** The rank of the node in the order that decides among equal scores; nodes differ in it. */
  readonly rank: number;
}

/** A page that may be among the results. */
export interface RankedPage extends ResultKey {
  readonly node: number;
  /** The number of its segment in the view. */
  readonly input: number;
  /** Its number within the segment. */
  readonly page: number;
}

/** Negative if `a` is listed before `b`. */
export function compareResults(a: ResultKey, b: ResultKey): number {
  if (a.all !== b.all) return a.all ? -1 : 1;
  return b.score - a.score || a.rank - b.rank;
}

/** Whether `a` is listed before a result with this key. Without an object, as most pages are only compared. */
function precedes(a: ResultKey, all: boolean, score: number, rank: number): boolean {
  if (a.all !== all) return a.all;
  return a.score === score ? a.rank < rank : a.score > score;
}

/** Keeps the best pages after a position, in order. */
export class TopPages {
  readonly pages: RankedPage[] = [];
  /** The last page once there are as many as may be, before that the floor. */
  #last: ResultKey | null;
  readonly #limit: number;
  readonly #after: ResultKey | null;

  /** @param floor Pages that come after this key are not kept, even if there are few. */
  constructor(limit: number, after: ResultKey | null, floor: ResultKey | null = null) {
    this.#limit = limit;
    this.#after = after;
    this.#last = floor;
  }

  /** Whether a page with this score may be kept, which depends on its rank if it equals that of the last one. */
  mayTake(all: boolean, score: number): boolean {
    const last = this.#last;
    if (last === null || (all && !last.all)) return true;
    return all === last.all && score >= last.score;
  }

  /** Whether a page with this key would be kept. */
  takes(all: boolean, score: number, rank: number): boolean {
    if (this.#after !== null && !precedes(this.#after, all, score, rank)) return false;
    const last = this.#last;
    return last === null || !precedes(last, all, score, rank);
  }

  /** Adds a page that would be kept. */
  add(page: RankedPage): void {
    const isFull = this.pages.length === this.#limit;
    let index = this.pages.length;
    while (index > 0 && compareResults(page, this.pages[index - 1] as RankedPage) < 0) index -= 1;
    this.pages.splice(index, 0, page);
    if (isFull) this.pages.pop();
    this.#last = this.pages[this.#limit - 1] ?? this.#last;
  }
}
