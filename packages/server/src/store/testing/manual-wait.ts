import { setImmediate } from "node:timers/promises";
import type { LockWait } from "../wrappers/lock-wait.ts";

/** A lock wait whose time moves only when the test advances it. */
export function manualWait(): {
  readonly wait: LockWait;
  advance(ms: number): Promise<void>;
  /** Resolves once something waits for the lock, however busy the machine is. */
  begun(): Promise<void>;
  /** Advances until an answer is there, however long it takes to come to its wait. */
  until<Answer>(answer: Promise<Answer>): Promise<Answer>;
} {
  let now = 0;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const wait: LockWait = {
    timeoutMs: 10_000,
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((wake) => {
        sleepers.push({ until: now + ms, wake });
        signal?.addEventListener("abort", () => wake());
      }),
    random: () => 0.5,
  };
  const advance = async (ms: number) => {
    const end = now + ms;
    while (now < end) {
      // Sleepers that woke may sleep again.
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      const next = Math.min(end, ...sleepers.map(({ until }) => until));
      now = next;
      const due = sleepers.filter(({ until }) => until <= now);
      sleepers = sleepers.filter(({ until }) => until > now);
      for (const { wake } of due) wake();
    }
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  };
  return {
    wait,
    advance,
    async begun() {
      while (sleepers.length === 0) await setImmediate();
    },
    async until(answer) {
      let isThere = false;
      const there = answer.finally(() => {
        isThere = true;
      });
      // The caller learns of a failure.
      there.catch(() => {});
      while (!isThere) await advance(100);
      return there;
    },
  };
}
