/** Processor time that other people's text may take in a thread that other texts wait for, in milliseconds. */
export const quickMs = 1_000;

/** Bytes for which a reader gets one more second. */
const bytesPerSecond = 65_536;

/**
 * The processor time that a reader of other people's text may take in all, in milliseconds: one second, and one more for each
 * 64 KiB. An ordinary text takes a hundredth of that, so what takes longer is read by steps that grow with more than its length.
 */
export function readingLimitMs(bytes: number): number {
  return quickMs + (bytes / bytesPerSecond) * 1_000;
}
