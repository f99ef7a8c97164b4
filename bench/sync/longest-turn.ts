import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { exactCpuMs } from "../text/cpu.ts";

/** The longest turn of the event loop, in milliseconds of processor time. */
export interface LongestTurn {
  readonly longest: number;
  /** Of the turns in which no garbage was collected. */
  readonly withoutCollection: number;
}

interface Turn {
  readonly start: number;
  readonly end: number;
  readonly ms: number;
}

/** Shorter turns are not kept. */
const leastMs = 0.5;

/** Measures the processor time of each turn of the event loop, which other work of the machine does not affect. */
export function watchTurns(): { stop(): Promise<LongestTurn> } {
  const turns: Turn[] = [];
  const collections: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) collections.push(startTime);
  });
  observer.observe({ entryTypes: ["gc"] });
  let isWatching = true;
  let [start, before] = [performance.now(), exactCpuMs()];
  const turn = () => {
    const [end, now] = [performance.now(), exactCpuMs()];
    if (now - before > leastMs) turns.push({ start, end, ms: now - before });
    [start, before] = [performance.now(), exactCpuMs()];
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    async stop() {
      isWatching = false;
      // The observer receives the rest in the next turns.
      for (let more = 0; more < 3; more += 1) await nextTurn();
      observer.disconnect();
      const collects = ({ start, end }: Turn) => collections.some((time) => time >= start && time <= end);
      const longestOf = (some: readonly Turn[]) => some.reduce((longest, { ms }) => Math.max(longest, ms), 0);
      return {
        longest: longestOf(turns),
        withoutCollection: longestOf(turns.filter((each) => !collects(each))),
      };
    },
  };
}
