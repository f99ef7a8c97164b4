import { at, floatAt, sortByKeys } from "./columns.ts";

/*
 * Stable radix sorts of nodes by a column, least significant digits first. To sort by several columns, sort by the least
 * significant one first.
 */

export type SortDirection = "ascending" | "descending";

/** Sorts nodes by whole numbers. */
export function sortByNumbers(
  order: Uint32Array,
  numbers: Uint32Array,
  direction: SortDirection,
): Uint32Array {
  let largest = 0;
  for (let node = 0; node < numbers.length; node += 1) largest = Math.max(largest, at(numbers, node));
  const keys = direction === "ascending" ? numbers : numbers.map((number) => largest - number);
  const byLowHalf = sortByDigits(order, keys, 0);
  return largest > 0xffff ? sortByDigits(byLowHalf, keys, 16) : byLowHalf;
}

/** Sorts nodes by floats of any sign; 0 and -0 are equal. */
export function sortByFloats(
  order: Uint32Array,
  floats: Float64Array,
  direction: SortDirection,
): Uint32Array {
  const [low, high] = sortableBits(floats, direction);
  return [low, high].reduce((sorted, keys) => sortByDigits(sortByDigits(sorted, keys, 0), keys, 16), order);
}

function sortByDigits(order: Uint32Array, keys: Uint32Array, shift: 0 | 16): Uint32Array {
  const digits = order.map((node) => (at(keys, node) >>> shift) & 0xffff);
  return sortByKeys(order, digits, 0x1_0000);
}

/** The lower and upper halves of 64-bit numbers that have the order of the floats. */
function sortableBits(floats: Float64Array, direction: SortDirection): [low: Uint32Array, high: Uint32Array] {
  const [low, high] = [new Uint32Array(floats.length), new Uint32Array(floats.length)];
  const bits = new DataView(new ArrayBuffer(8));
  const flip = direction === "ascending" ? 0 : -1;
  for (let node = 0; node < floats.length; node += 1) {
    // Adding 0 makes 0 of -0.
    const float = floatAt(floats, node) + 0;
    bits.setFloat64(0, float);
    // The bits of a float ascend with numbers from 0 on and descend with negative ones.
    const negative = float < 0 ? -1 : 0;
    low[node] = bits.getUint32(4) ^ negative ^ flip;
    high[node] = bits.getUint32(0) ^ (negative | 0x8000_0000) ^ flip;
  }
  return [low, high];
}
