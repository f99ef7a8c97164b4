/** What a walk may use up before it is cut (GRAPH-9). */
export interface WalkLimits {
  /** Nodes that it may visit, the one it begins at included. */
  readonly visits: number;
  /** Whether its time is up. Asked now and then, not at every step. */
  readonly expired: () => boolean;
}

/** Edges looked at between two looks at the clock: some microseconds' worth. */
const stepsBetweenLooks = 1024;

/** Holds a walk to its budget. What is used up stays used up. */
export class WalkBudget {
  readonly #budget: WalkLimits;
  #visited = 0;
  /** Edges until the next look at the clock. */
  #steps = 0;
  #refused = false;
  #expired = false;

  constructor(limits: WalkLimits) {
    this.#budget = limits;
  }

  /** Nodes visited so far. */
  get visited(): number {
    return this.#visited;
  }

  /** Whether the budget kept the walk from going on. */
  get exhausted(): boolean {
    return this.#refused || this.#expired;
  }

  /** Nodes that the budget has left. */
  get room(): number {
    return this.#budget.visits - this.#visited;
  }

  /** Counts a node, or so many for which there is room; false where the budget has none left. */
  visit(nodes = 1): boolean {
    if (nodes > this.room) this.#refused = true;
    else this.#visited += nodes;
    return !this.#refused;
  }

  /** Counts an edge that is looked at, or so many; false once time is up. */
  step(edges = 1): boolean {
    if (this.#steps <= 0) {
      if (this.#budget.expired()) this.#expired = true;
      this.#steps = stepsBetweenLooks;
    }
    this.#steps -= edges;
    return !this.#expired;
  }
}
