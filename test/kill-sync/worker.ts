import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RowCounts } from "./row-counts.ts";

/** The moment to kill a worker: this many milliseconds after the provider has received this many more calls. */
export interface Moment {
  readonly calls: number;
  readonly milliseconds: number;
}

/** The input of a worker. */
interface Work {
  readonly path: string;
  readonly apiUrl: string;
  readonly key: Buffer;
  readonly connectionId: number;
  /** The number of the worker. */
  readonly life: number;
}

/** A process that resumes a sync. */
interface Worker {
  /** The row counts that it reported as committed. */
  acknowledged(): RowCounts | Record<string, never>;
  /** Kills it at a moment, or waits for its end. Returns whether it was killed before its end. */
  end(at: Moment | null, callsSoFar: () => number): Promise<boolean>;
}

/** Milliseconds by which each worker's clock is ahead of the previous one's: more than a lease. */
const clockLeadMs = 20_000;

/** Milliseconds after which a worker that hangs is killed. */
const timeoutMs = 200_000;

export function startWorker({ path, apiUrl, key, connectionId, life }: Work): Worker {
  const settings = [path, apiUrl, key.toString("hex"), String(connectionId), String(life * clockLeadMs)];
  const child = fork(join(import.meta.dirname, "worker-process.ts"), settings);
  let acknowledged: RowCounts | Record<string, never> = {};
  child.on("message", (counts: RowCounts) => {
    acknowledged = counts;
  });
  const ended = once(child, "close");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  return {
    acknowledged: () => acknowledged,
    async end(at, callsSoFar) {
      const deadline = performance.now() + timeoutMs;
      if (at !== null) {
        const calls = callsSoFar() + at.calls;
        while (callsSoFar() < calls && !hasEnded() && performance.now() < deadline) await sleep(1);
        await sleep(at.milliseconds);
        child.kill("SIGKILL");
      }
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      await ended;
      clearTimeout(timer);
      if (at === null && child.exitCode !== 0) throw new Error("The worker ended before its sync");
      return child.signalCode === "SIGKILL";
    },
  };
}
