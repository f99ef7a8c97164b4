import { setTimeout } from "node:timers/promises";
import type { Sleep } from "../../model/runtime.ts";

/** Work that repeats in the background. */
export interface Background {
  /** Resolves once the work under way has ended; it is not repeated again. */
  stop(): Promise<void>;
}

interface Repetition {
  /** Milliseconds to the beginning of the first call; 0 by default. */
  readonly delayMs?: number;
  /** Milliseconds from the end of one call to the beginning of the next. */
  readonly intervalMs: number;
  /** The signal is aborted by `stop`. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called with what a call failed with; the next one tries again. */
  readonly onError: (error: unknown) => void;
  /** Waits in between; by default without keeping the process alive. */
  readonly sleep?: Sleep | undefined;
}

/** Does some work now, or after a delay, and again after each interval. */
export function repeat({ delayMs = 0, intervalMs, work, onError, sleep = pause }: Repetition): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => sleep(ms, signal).catch(() => {});
  const ended = (async () => {
    if (delayMs > 0) await wait(delayMs);
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await wait(intervalMs);
    }
  })();
  return {
    stop() {
      stopping.abort(new Error("Clew is stopping"));
      return ended;
    },
  };
}

const pause: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal, ref: false });
