import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Holdings } from "./holdings.ts";

/** A moment in a worker's life: so many milliseconds after the provider got so many more calls. */
export interface Moment {
  readonly calls: number;
  readonly milliseconds: number;
}

/** What a worker needs to know. */
interface Work {
  readonly path: string;
  readonly apiUrl: string;
  readonly key: Buffer;
  readonly connectionId: number;
  /** The how manieth it is. */
  readonly life: number;
}

/** A process that goes on with a sync. */
interface Worker {
  /** What it said that it has committed. */
  acknowledged(): Holdings | Record<string, never>;
  /** Kills it at a moment; without one waits for its end. Answers whether it was killed before it had ended. */
  end(at: Moment | null, callsSoFar: () => number): Promise<boolean>;
}

/** Milliseconds by which the clock of one life is ahead of that of the one before: leases have expired by then. */
const ahead = 20_000;

/** Milliseconds after which a sync goes on no more. */
const timeoutMs = 60_000;

export function startWorker({ path, apiUrl, key, connectionId, life }: Work): Worker {
  const settings = [path, apiUrl, key.toString("hex"), String(connectionId), String(life * ahead)];
  const child = fork(join(import.meta.dirname, "worker-process.ts"), settings);
  let acknowledged: Holdings | Record<string, never> = {};
  child.on("message", (holdings: Holdings) => {
    acknowledged = holdings;
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
      if (at === null && child.exitCode !== 0)
        throw new Error("The worker did not come to the end of the sync");
      return child.signalCode === "SIGKILL";
    },
  };
}
