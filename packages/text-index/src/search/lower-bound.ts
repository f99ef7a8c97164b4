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
