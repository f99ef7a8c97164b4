import { setImmediate } from "node:timers/promises";

/**
 * Shares out what syncs do at the cost of others: calls that are under way, and writing down what they answered. Waiting
 * for the provider's limit costs next to nothing and takes no turn.
 */
export interface Turns {
  /** Does a piece of work of a sync when its turn has come. `whose` is what tells the syncs from each other. */
  take<T>(whose: object, work: () => Promise<T>): Promise<T>;
}

/** A sync that had fewer turns is a new one: its titles are awaited, or it is a small workspace that is soon done. */
const newUntil = 200;

/** While both wait, one turn in so many goes to the syncs that are not new, so that newcomers do not stop them. */
const longEvery = 4;

/** Pieces of work that wait, by sync, the one whose turn is next first. */
type Queue = Map<object, (() => void)[]>;

/**
 * Lets so many pieces of work be under way at a time. New syncs go first; among the new and among the others, one has
 * its turn after another.
 */
export function createTurns({ atOnce }: { atOnce: number }): Turns {
  const fresh: Queue = new Map();
  const long: Queue = new Map();
  const taken = new WeakMap<object, number>();
  let underWay = 0;
  let given = 0;

  const next = (): (() => void) | undefined => {
    const isLongNext = fresh.size === 0 || (long.size > 0 && given % longEvery === longEvery - 1);
    const queue = isLongNext ? long : fresh;
    const [first] = queue;
    if (first === undefined) return undefined;
    const [whose, waiting] = first;
    const begin = waiting.shift();
    queue.delete(whose);
    if (waiting.length > 0) queue.set(whose, waiting);
    given += 1;
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

  return {
    async take(whose, work) {
      const had = taken.get(whose) ?? 0;
      taken.set(whose, had + 1);
      const queue = had < newUntil ? fresh : long;
      await new Promise<void>((resolve) => {
        const waiting = queue.get(whose);
        if (waiting === undefined) queue.set(whose, [resolve]);
        else waiting.push(resolve);
        beginNext();
      });
      try {
        return await work();
      } finally {
        // What came in meanwhile, requests of people above all, goes before the next piece of work.
        void setImmediate().then(() => {
          underWay -= 1;
          beginNext();
        });
      }
    },
  };
}
