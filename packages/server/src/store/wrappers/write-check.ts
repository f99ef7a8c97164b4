import type { LockWait } from "./lock-wait.ts";

/** Milliseconds for which the outcome of the last write counts. */
const outcomeValidMs = 5_000;

/** Milliseconds after which a write that still waits counts as failed. */
const writeTimeoutMs = 2_000;

/** Finds out whether the database takes writes; `write` writes as little as possible. */
export function createWriteCheck(write: () => Promise<unknown>, wait: LockWait) {
  let last: { readonly at: number; readonly succeeded: boolean } | null = null;
  let underway: Promise<boolean> | null = null;

  /** Notes whether a write succeeded. */
  const note = (succeeded: boolean) => {
    last = { at: wait.now(), succeeded };
  };

  async function attempt(): Promise<boolean> {
    const timeout = new AbortController();
    const writing = write()
      .then(() => true)
      .catch(() => false);
    const timedOut = wait.sleep(writeTimeoutMs, timeout.signal).then(() => false);
    const succeeded = await Promise.race([writing, timedOut]);
    timeout.abort();
    note(succeeded);
    return succeeded;
  }

  return {
    note,
    /** Whether writes succeed. Writes itself at most every few seconds, and only if nothing else has written. */
    check(): Promise<boolean> {
      if (last !== null && wait.now() - last.at < outcomeValidMs) return Promise.resolve(last.succeeded);
      underway ??= attempt().finally(() => {
        underway = null;
      });
      return underway;
    },
  };
}
