import { setImmediate } from "node:timers/promises";

/** Runs `work`, a piece of a task such as a sync, when the task has its turn. `owner` identifies the task. */
export type TakeTurn = <T>(owner: object, work: () => Promise<T>) => Promise<T>;

/** A task that has had fewer turns is new: people wait for its first results, or it is soon done. */
const newBelowTurns = 200;

/** While both kinds wait, one of this many turns goes to a task that is not new: new ones must not starve it. */
const longTurnEvery = 4;

/** Waiting items of several owners, who take turns. */
export class RoundRobin<Owner, Item> {
  /** The owner whose turn is next comes first. */
  readonly #items = new Map<Owner, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  countOf(owner: Owner): number {
    return this.#items.get(owner)?.length ?? 0;
  }

  add(owner: Owner, item: Item): void {
    const own = this.#items.get(owner) ?? [];
    own.push(item);
    this.#items.set(owner, own);
    this.#size += 1;
  }

  /** Removes the next owner's first item. The owner's turn comes again after all others. */
  next(): Item | undefined {
    const [first] = this.#items;
    if (first === undefined) return undefined;
    const [owner, own] = first;
    const item = own.shift();
    this.#items.delete(owner);
    if (own.length > 0) this.#items.set(owner, own);
    this.#size -= 1;
    return item;
  }

  /** Removes an item that waits; false if it does not. */
  remove(owner: Owner, item: Item): boolean {
    const own = this.#items.get(owner);
    const index = own?.indexOf(item) ?? -1;
    if (own === undefined || index < 0) return false;
    own.splice(index, 1);
    if (own.length === 0) this.#items.delete(owner);
    this.#size -= 1;
    return true;
  }

  all(): Item[] {
    return [...this.#items.values()].flat();
  }
}

/**
 * Limits how many pieces of work run at a time, such as calls to the provider or writes of syncs, and shares them fairly:
 * new tasks go first, and among the new and the other tasks each takes its turn. `work` must not wait for anything else,
 * such as a rate limit, because it holds its turn until then.
 */
export function createTurns({ atOnce }: { atOnce: number }): TakeTurn {
  const fresh = new RoundRobin<object, () => void>();
  const long = new RoundRobin<object, () => void>();
  const taken = new WeakMap<object, number>();
  let underWay = 0;
  let given = 0;

  const next = (): (() => void) | undefined => {
    const isLongNext = fresh.size === 0 || (long.size > 0 && given % longTurnEvery === longTurnEvery - 1);
    const begin = (isLongNext ? long : fresh).next();
    if (begin !== undefined) given += 1;
    return begin;
  };

  const beginNext = () => {
    while (underWay < atOnce) {
      const begin = next();
      if (begin === undefined) return;
      underWay += 1;
      begin();
    }
  };

  return async (owner, work) => {
    const had = taken.get(owner) ?? 0;
    taken.set(owner, had + 1);
    const queue = had < newBelowTurns ? fresh : long;
    await new Promise<void>((resolve) => {
      queue.add(owner, resolve);
      beginNext();
    });
    try {
      return await work();
    } finally {
      // Requests that have come in since go before the next piece of work.
      void setImmediate().then(() => {
        underWay -= 1;
        beginNext();
      });
    }
  };
}
