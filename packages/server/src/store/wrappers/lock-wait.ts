import { setTimeout } from "node:timers/promises";

/** How to wait for what other processes do: for their locks, or for the end of transactions that conflict. */
export interface LockWait {
  readonly timeoutMs: number;
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Ends early when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

/** Gives up before a request's own limit of 15 seconds, so that the caller gets an answer. */
export const defaultLockWait: LockWait = {
  timeoutMs: 10_000,
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => {}),
  random: Math.random,
};

const firstRetryDelayMs = 2;
const maxRetryDelayMs = 100;

/** Repeats `attempt` while it fails for a transient reason, until `wait.timeoutMs` after `since`; then throws its error. */
export async function retryWhile<T>(
  isTransient: (error: unknown) => boolean,
  attempt: () => T | Promise<T>,
  wait: LockWait,
  since: number = wait.now(),
): Promise<T> {
  for (let delayMs = firstRetryDelayMs; ; delayMs = Math.min(2 * delayMs, maxRetryDelayMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error) || wait.now() - since >= wait.timeoutMs) throw error;
    }
    // Jitter keeps processes that wait for the same reason out of step.
    await wait.sleep(delayMs * (0.5 + wait.random()));
  }
}
