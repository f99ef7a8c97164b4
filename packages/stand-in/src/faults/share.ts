import { createHash } from "node:crypto";

/**
 * A number from 0 up to, not including, 1 that follows from a seed and a text: evenly spread, and the same each time,
 * whatever was asked before.
 */
export function shareOf(seed: number, text: string): number {
  return createHash("sha256").update(`${seed}\0${text}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
