import { setImmediate } from "node:timers/promises";
import type { LockWait } from "../wrappers/lock-wait.ts";

/** A lock wait whose time moves only when the test advances it. */
export function manualWait(): { readonly wait: LockWait; advance(ms: number): Promise<void> } {
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
  return {
    wait,
    async advance(ms) {
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
    },
  };
}
