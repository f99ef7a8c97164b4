import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";

/** How to wait for a lock that another process holds. */
export interface LockWait {
  /** Give up after this many milliseconds. */
  readonly limitMs: number;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Ends early where the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

/** A request has 15 seconds until the first byte of its answer: the refusal must come before that. */
export const lockWait: LockWait = {
  limitMs: 10_000,
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => {}),
  random: Math.random,
};

/** Pauses between two attempts grow from the first to the last, in milliseconds. */
const firstPauseMs = 2;
const lastPauseMs = 100;

/**
 * Runs `attempt`, again and again while another process holds the lock that it needs, until the limit counted from
 * `since`. SQLite's own busy handler would block the event loop meanwhile. Throws the last SQLITE_BUSY.
 */
export async function retryWhileBusy<T>(
  attempt: () => T,
  wait: LockWait,
  since: number = wait.now(),
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, lastPauseMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || wait.now() - since >= wait.limitMs) throw error;
    }
    // Jitter keeps processes that wait for the same lock from trying in step.
    await wait.sleep(pauseMs * (0.5 + wait.random()));
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
