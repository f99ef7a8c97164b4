import { setImmediate } from "node:timers/promises";

/** Runs `work`, a piece of a task such as a sync, when the task has its turn. `owner` identifies the task. */
export type TakeTurn = <T>(owner: object, work: () => Promise<T>) => Promise<T>;

/** A task that has had fewer turns is new: people wait for its first results, or it is soon done. */
const newBelowTurns = 200;

/** While both kinds wait, one of this many turns goes to a task that is not new: new ones must not starve it. */
const longTurnEvery = 4;

/** Waiting work by task, the task that is next first. */
type Queue = Map<object, (() => void)[]>;

/**
 * Limits how many pieces of work run at a time, such as calls to the provider or writes of syncs, and shares them fairly:
 * new tasks go first, and among the new and the other tasks each takes its turn. `work` must not wait for anything else,
 * such as a rate limit, because it holds its turn meanwhile.
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
