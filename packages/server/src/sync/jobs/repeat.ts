import { setTimeout } from "node:timers/promises";

/** Work that repeats in the background. */
export interface Background {
  /** Resolves once the work under way has ended; it is not repeated again. */
  stop(): Promise<void>;
}

interface Repetition {
  /** Milliseconds from the end of one call to the beginning of the next. */
  readonly intervalMs: number;
  /** The signal is aborted by `stop`. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called with what a call failed with; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** Does some work now, and again after each interval. */
export function repeat({ intervalMs, work, onError }: Repetition): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => {});
    }
  })();
  return {
    stop() {
      stopping.abort(new Error("Clew is stopping"));
      return ended;
    },
  };
}
