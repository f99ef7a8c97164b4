/** Writes from time to time what has gathered meanwhile. */
export interface Flush {
  /** Writes what has gathered. One write goes after the other: whoever waits for this one has waited for those before. */
  now(): Promise<void>;
  /** Ends the timer and writes what is left. */
  close(): Promise<void>;
}

interface Flushing {
  /** Milliseconds between two writes. */
  readonly interval: number;
  /** Is told when a write failed that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

/** Calls `write` every so often, which keeps for the next time what it could not write. */
export function startFlush(write: () => Promise<void>, { interval, onError }: Flushing): Flush {
  let written: Promise<void> = Promise.resolve();

  function now(): Promise<void> {
    written = written.then(write, write);
    return written;
  }

  const timer = setInterval(() => void now().catch(onError), interval).unref();

  return {
    now,
    async close() {
      clearInterval(timer);
      await now().catch(onError);
    },
  };
}
