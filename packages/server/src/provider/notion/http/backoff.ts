import type { RandomBytes } from "../../../model/runtime.ts";

const first = 500;
const longest = 30_000;

/**
 * Milliseconds to wait after the `attempt`-th failure: evenly drawn up to a bound that doubles each time, so that
 * callers who failed together do not come back together ("full jitter").
 */
export function backoff(attempt: number, random: RandomBytes): number {
  const bound = Math.min(longest, first * 2 ** (attempt - 1));
  const fraction = Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  return Math.ceil(bound * fraction);
}

/**
 * Milliseconds that a `Retry-After` header asks for, given in seconds or as a date; null where there is none or it
 * says nothing (RFC 9110, section 10.2.3).
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
