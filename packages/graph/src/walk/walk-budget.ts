/** The work that a walk may do before it is cut (GRAPH-9). */
export interface WalkLimits {
  /** Nodes that it may visit, including its start. */
  readonly visits: number;
  /** Whether its time is up. Called once in about a thousand edges. */
  readonly expired: () => boolean;
}

/** Edges between two looks at the clock: a few microseconds' worth. */
const stepsPerLook = 1024;

/** Counts what a walk uses, and remembers when a limit was reached. */
export class WalkBudget {
  readonly #limits: WalkLimits;
  #visited = 0;
  #stepsUntilLook = 0;
  #isRefused = false;
  #isExpired = false;

  constructor(limits: WalkLimits) {
    this.#limits = limits;
  }

  /** Nodes visited so far. */
  get visited(): number {
    return this.#visited;
  }

  /** Whether a limit stopped the walk. */
  get exhausted(): boolean {
    return this.#isRefused || this.#isExpired;
  }

  get remainingVisits(): number {
    return this.#limits.visits - this.#visited;
  }

  /** Counts visited nodes; false if the budget has not as many left. */
  visit(nodes = 1): boolean {
    if (nodes > this.remainingVisits) this.#isRefused = true;
    else this.#visited += nodes;
    return !this.#isRefused;
  }

  /** Counts edges that are looked at; false once time is up. */
  step(edges = 1): boolean {
    if (this.#stepsUntilLook <= 0) {
      if (this.#limits.expired()) this.#isExpired = true;
      this.#stepsUntilLook = stepsPerLook;
    }
    this.#stepsUntilLook -= edges;
    return !this.#isExpired;
  }
}
