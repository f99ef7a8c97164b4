import { setImmediate } from "node:timers/promises";
import type { Sleep } from "../../model/runtime.ts";

/** Time that passes only while nothing runs: an hour takes as long as the work done in it. */
export interface VirtualTime {
  clock(): number;
  /** Resolves once so much time has passed; throws the reason with which the signal is aborted, if one is given. */
  sleep(milliseconds: number, signal?: AbortSignal | null): ReturnType<Sleep>;
  /** Lets time pass until the work is done. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** Turns of the event loop without activity after which nothing counts as running. */
const quietTurns = 3;

/** `isBusy` tells whether something is under way that does not show in this process's event loop. */
export function createVirtualTime(isBusy: () => boolean = () => false): VirtualTime {
  const sleepers = createHeap();
  let now = Date.UTC(2026, 0, 1);
  /** Counts the sleeps begun: while it changes, something is running. */
  let begun = 0;

  const quiet = async () => {
    for (let seen = -1, turns = 0; turns < quietTurns; ) {
      await setImmediate();
      turns = begun === seen && !isBusy() ? turns + 1 : 0;
      seen = begun;
    }
  };

  return {
    clock: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        begun += 1;
        const abort = () => reject(signal?.reason);
        signal?.addEventListener("abort", abort, { once: true });
        const wake = () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        };
        sleepers.push({ until: now + Math.ceil(milliseconds), wake });
      }),
    async run(work) {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      done.catch(() => {});
      while (!isDone) {
        await quiet();
        const next = isDone ? undefined : sleepers.pop();
        if (next === undefined) continue;
        now = Math.max(now, next.until);
        next.wake();
        while ((sleepers.first()?.until ?? Number.POSITIVE_INFINITY) <= now) sleepers.pop()?.wake();
      }
      return done;
    },
  };
}

/** Sleepers, the one to be woken first at the top. */
function createHeap() {
  const heap: Sleeper[] = [];
  const at = (index: number) => heap[index]?.until ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number) => {
    const held = heap[one];
    if (held === undefined || heap[other] === undefined) return;
    heap[one] = heap[other];
    heap[other] = held;
  };
  return {
    first: () => heap[0],
    push(sleeper: Sleeper) {
      heap.push(sleeper);
      for (let here = heap.length - 1; here > 0; ) {
        const above = (here - 1) >> 1;
        if (at(above) <= at(here)) return;
        swap(above, here);
        here = above;
      }
    },
    pop(): Sleeper | undefined {
      swap(0, heap.length - 1);
      const top = heap.pop();
      for (let here = 0; ; ) {
        const left = 2 * here + 1;
        const least = at(left + 1) < at(left) ? left + 1 : left;
        if (at(here) <= at(least)) return top;
        swap(here, least);
        here = least;
      }
    },
  };
}
