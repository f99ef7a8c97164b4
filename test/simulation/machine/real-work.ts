import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Machine } from "./machine.ts";

/** Real, before anything is replaced. */
const turn = nextTurn;
const isInside = new AsyncLocalStorage<true>();

let last: Promise<unknown> = Promise.resolve();
let pending = 0;

/**
 * Does work of the real machine, such as reading a file: one piece at a time, in the order of the requests, and without virtual time. So its end
 * does not depend on how long it really takes. A machine that was killed gets no answer.
 */
export function doReally<T>(work: () => Promise<T>): Promise<T> {
  if (isInside.getStore()) return work();
  const machine = Machine.current;
  if (machine === null) return work();
  if (!machine.isAlive) return new Promise(() => {});
  pending += 1;
  const done = last
    .then(() => isInside.run(true, work))
    .finally(() => {
      pending -= 1;
    });
  last = done.catch(() => {});
  return done;
}

/** Resolves once no code is left to run but that of tasks. */
export async function settled(): Promise<void> {
  await turn();
  while (pending > 0) {
    await last;
    await turn();
  }
}
