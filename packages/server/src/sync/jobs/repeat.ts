import { setTimeout } from "node:timers/promises";

/** Work that goes on in the background. */
export interface Background {
  /** Resolves when the work under way has ended; none follows. */
  stop(): Promise<void>;
}

interface Repetition {
  /** Milliseconds from the end of one time to the beginning of the next. */
  readonly intervalMs: number;
  /** The signal is aborted once no more is wanted. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Told why one time failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** Does some work now and again and again, one time after the other. */
export function repeat({ intervalMs, work, onError }: Repetition): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    while (!signal.aborted) {
      await work(signal).catch(onError);
      await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const ended = loop();
  return {
    stop() {
      stopping.abort(new Error("Clew is stopping"));
      return ended;
    },
  };
}
