import { setTimeout } from "node:timers/promises";
import { integer, type Random } from "@clew/stand-in/testing/random";

/** Milliseconds in which some work ended, of many times. */
export interface Latencies {
  readonly median: number;
  readonly p99: number;
}

/** Does some work `count` times, with a pause after each, and measures how long it took. */
export async function measureLatencies(
  count: number,
  random: Random,
  once: (index: number) => Promise<void>,
): Promise<Latencies> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const from = performance.now();
    await once(index);
    times.push(performance.now() - from);
    // People save less often than this.
    await setTimeout(integer(random, 500, 1_500));
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0);
  return { median: at(0.5), p99: at(0.99) };
}
