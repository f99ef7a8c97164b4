/*
 * On a busy machine a thread may wait for seconds before it goes on. Fixtures therefore replace the deadlines of Clew that no
 * test is about.
 */

/** A deadline in milliseconds that nothing reaches: a test itself may take as long (scripts/test.ts). */
export const generousMs = 240_000;

/** Milliseconds for which this thread has computed, as a monotonic clock that waits do not advance. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The deadline of queries, and the module of their threads. */
export const generousQueries = {
  deadlineMs: generousMs,
  module: new URL("../../queries/testing/own-time-worker.ts", import.meta.url),
};
