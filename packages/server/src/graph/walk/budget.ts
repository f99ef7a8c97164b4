/** What a walk may use up before it is cut (GRAPH-9). */
export interface Budget {
  /** Nodes that it may visit, the one it begins at included. */
  readonly visits: number;
  /** Whether its time is up. Asked now and then, not at every step. */
  readonly expired: () => boolean;
}

/** Edges looked at between two looks at the clock: some microseconds' worth. */
const stepsBetweenLooks = 1024;

/** Holds a walk to its budget. What is used up stays used up. */
export class Meter {
  readonly #budget: Budget;
  #visited = 0;
  #steps = 0;
  #refused = false;
  #expired = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Nodes visited so far. */
  get visited(): number {
    return this.#visited;
  }

  /** Whether the budget kept the walk from going on. */
  get exhausted(): boolean {
    return this.#refused || this.#expired;
  }

  /** Counts a node; false where the budget has none left. */
  visit(): boolean {
    if (this.#visited >= this.#budget.visits) this.#refused = true;
    else this.#visited += 1;
    return !this.#refused;
  }

  /** Counts an edge that is looked at; false once time is up. */
  step(): boolean {
    if (this.#steps % stepsBetweenLooks === 0 && this.#budget.expired()) this.#expired = true;
    this.#steps += 1;
    return !this.#expired;
  }
}
