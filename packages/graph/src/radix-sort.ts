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
  return sortByBits(order, keys, largest);
}

/** Sorts nodes by floats of any sign; 0 and -0 are equal. */
export function sortByFloats(
  order: Uint32Array,
  floats: Float64Array,
  direction: SortDirection,
): Uint32Array {
  const [low, high] = sortableBits(floats, direction);
  return [low, high].reduce((sorted, keys) => sortByBits(sorted, keys, 0xffff_ffff), order);
}

/** Below this number of rows, counting digits of 16 bits takes longer than sorting by twice as many of 8 bits. */
const fewRows = 0x1_0000;

/** Sorts by keys that are at most `largest`. */
function sortByBits(order: Uint32Array, keys: Uint32Array, largest: number): Uint32Array {
  const digitBits = order.length < fewRows ? 8 : 16;
  const bound = 2 ** digitBits;
  let sorted = order;
  for (let shift = 0; largest >= 2 ** shift; shift += digitBits) {
    const digits = sorted.map((node) => (at(keys, node) >>> shift) % bound);
    sorted = sortByKeys(sorted, digits, bound);
  }
  return sorted;
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
