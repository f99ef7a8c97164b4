import { at } from "../segments/bytes.ts";

/** The first index from `start` on whose value is not below `least`. */
export function lowerBound(
  ascending: Uint32Array,
  least: number,
  length = ascending.length,
  start = 0,
): number {
  let low = start;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(ascending, middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same in fewer steps if it is near `start`. */
export function nextBound(ascending: Uint32Array, least: number, length: number, start: number): number {
  let low = start;
  for (let step = 1; low < length && at(ascending, low) < least; step *= 2) {
    const high = low + step;
    if (high >= length || at(ascending, high) >= least)
      return lowerBound(ascending, least, Math.min(high, length), low + 1);
    low = high;
  }
  return low;
}
