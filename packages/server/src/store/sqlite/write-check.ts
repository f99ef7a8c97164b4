import BetterSqlite3 from "better-sqlite3";
import type { LockWait } from "./lock-wait.ts";

/** Milliseconds for which the last answer counts. */
const validMs = 5_000;

/** Milliseconds after which a write that still waits counts as one that cannot be done. */
const timeoutMs = 2_000;

interface WriteCheck {
  /** Notes how a write went. */
  note(succeeded: boolean): void;
  /** Whether writes succeed. Writes at most every few seconds, and not at all where others did. */
  check(): Promise<boolean>;
}

/** Finds out whether the database can be written to; `write` writes as little as can be. */
export function createWriteCheck(write: () => Promise<unknown>, wait: LockWait): WriteCheck {
  let last: { readonly at: number; readonly succeeded: boolean } | null = null;
  let underway: Promise<boolean> | null = null;

  const note = (succeeded: boolean) => {
    last = { at: wait.now(), succeeded };
  };

  async function attempt(): Promise<boolean> {
    const waiting = new AbortController();
    const writing = write().then(
      () => true,
      () => false,
    );
    const succeeded = await Promise.race([writing, wait.sleep(timeoutMs, waiting.signal).then(() => false)]);
    waiting.abort();
    note(succeeded);
    return succeeded;
  }

  return {
    note,
    check() {
      if (last !== null && wait.now() - last.at < validMs) return Promise.resolve(last.succeeded);
      underway ??= attempt().finally(() => {
        underway = null;
      });
      return underway;
    },
  };
}

/** Whether a write failed for want of room on the disk. */
export function isFull(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code === "SQLITE_FULL";
}
