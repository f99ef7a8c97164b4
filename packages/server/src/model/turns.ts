import { setImmediate } from "node:timers/promises";

/** Does a piece of a task when its turn comes, for instance of a sync. `owner` identifies the task. */
export type TakeTurn = <T>(owner: object, work: () => Promise<T>) => Promise<T>;

/** A task with fewer turns than this is new: people wait for its first results, or its workspace is small and soon done. */
const newBelowTurns = 200;

/** While both wait, one turn in so many goes to the tasks that are not new, so that new ones do not stop them. */
const longTurnEvery = 4;

/** Waiting work by task, the task that is next first. */
type Queue = Map<object, (() => void)[]>;

/**
 * Shares among tasks what slows down the others, for instance the open calls and the writes of syncs. Waiting for
 * something else, as a provider's rate limit, takes no turn. Allows `atOnce` pieces of work at a time. New tasks go
 * first; within each group the tasks take turns.
 */
export function createTurns({ atOnce }: { atOnce: number }): TakeTurn {
  const fresh: Queue = new Map();
  const long: Queue = new Map();
  const taken = new WeakMap<object, number>();
  let underWay = 0;
  let given = 0;

  const next = (): (() => void) | undefined => {
    const isLongNext = fresh.size === 0 || (long.size > 0 && given % longTurnEvery === longTurnEvery - 1);
    const queue = isLongNext ? long : fresh;
    const [first] = queue;
    if (first === undefined) return undefined;
    const [owner, waiting] = first;
    const begin = waiting.shift();
    queue.delete(owner);
    if (waiting.length > 0) queue.set(owner, waiting);
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

  return async (owner, work) => {
    const had = taken.get(owner) ?? 0;
    taken.set(owner, had + 1);
    const queue = had < newBelowTurns ? fresh : long;
    await new Promise<void>((resolve) => {
      queue.set(owner, [...(queue.get(owner) ?? []), resolve]);
      beginNext();
    });
    try {
      return await work();
    } finally {
      // Requests that came in meanwhile go before the next piece of work.
      void setImmediate().then(() => {
        underWay -= 1;
        beginNext();
      });
    }
  };
}
