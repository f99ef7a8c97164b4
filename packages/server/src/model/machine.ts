import { statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";

/* The limits for the clock and the disk of a machine. The start warns beyond them, and `clew doctor` says more. */

/** A clock that differs by more milliseconds than these is a warning, or a failure. */
const clockWarningMs = 30_000;
const clockFailureMs = 5 * 60_000;

/** Fewer free bytes on the disk than these are a warning, or a failure. */
const diskWarningBytes = 1e9;
const diskFailureBytes = 1e8;

export type Condition = "ok" | "warning" | "failed";

/** Judges a clock by its difference from another one. */
export function judgeClock(differenceMs: number): Condition {
  const size = Math.abs(differenceMs);
  if (size > clockFailureMs) return "failed";
  return size > clockWarningMs ? "warning" : "ok";
}

/** The free bytes on the disk of a path, as far as this user may use them. */
export async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

export function judgeFreeBytes(bytes: number): Condition {
  if (bytes < diskFailureBytes) return "failed";
  return bytes < diskWarningBytes ? "warning" : "ok";
}

/** The bounds of this process's memory, in bytes. */
export interface Memory {
  /** The limit of the container or the service, or what the machine has. */
  readonly limit: number;
  /** The size that the heap of the main thread may reach. */
  readonly heapLimit: number;
}

export function readMemory(): Memory {
  // 0 if there is none that Node knows; where nothing is limited, far more than the machine has.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return { limit: Math.min(constrained, totalmem()), heapLimit: getHeapStatistics().heap_size_limit };
}

/** Says how far a clock is from another one: "42 s behind the provider's". */
export function describeDifference(differenceMs: number, other: string): string {
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  if (seconds === 0) return `the same as ${other}`;
  const size = seconds < 600 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${size} ${differenceMs < 0 ? "behind" : "ahead of"} ${other}`;
}

export const clockAdvice = "Set the clock of this machine by NTP: sessions, tokens and codes end by it.";

export const diskAdvice =
  "Free some space, or move DATA_DIR to a larger disk. On a full disk Clew answers reads alone.";
