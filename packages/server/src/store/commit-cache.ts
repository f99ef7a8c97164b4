import { setImmediate } from "node:timers/promises";

/** Reads that every request makes again, kept for as long as nothing was committed. */
export interface CommitCache {
  /**
   * Forgets everything if any process has committed since it last looked. What is remembered afterwards is at least as
   * new as this call: to be waited for where it is found out who sends a request. It looks once this turn of the event
   * loop has read what there is to read, so that requests which arrive together share the look.
   */
  refresh(): Promise<void>;
  /** The value that was read under this key since the last commit, or the one that `read` reads now. */
  remember<Value>(key: string, read: () => Promise<Value>): Promise<Value>;
}

/** A memory of at most `capacity` reads. `version` is another number after every commit, whoever made it. */
export function createCommitCache(version: () => number, capacity: number): CommitCache {
  let asOf = Number.NaN;
  let looking: Promise<void> | null = null;
  const known = new Map<string, Promise<unknown>>();

  async function lookSoon(): Promise<void> {
    await setImmediate();
    // From here on whoever calls is too late for this look.
    looking = null;
    const now = version();
    if (now !== asOf) known.clear();
    asOf = now;
  }

  return {
    refresh() {
      looking ??= lookSoon();
      return looking;
    },
    remember<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
      const before = known.get(key);
      // A key always stands for the same kind of read.
      if (before !== undefined) return before as Promise<Value>;
      if (known.size >= capacity) known.clear();
      const reading = read();
      known.set(key, reading);
      // A failed read is not remembered; the key may stand for another read by then.
      reading.catch(() => known.get(key) === reading && known.delete(key));
      return reading;
    },
  };
}
