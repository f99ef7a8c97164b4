import { firstIndex } from "@clew/text/basics";
import { at } from "../segments/bytes.ts";

/** The first index from `start` on whose value is not below `least`. */
export function lowerBound(
  ascending: Uint32Array,
  least: number,
  length = ascending.length,
  start = 0,
): number {
  return firstIndex(start, length, (index) => at(ascending, index) >= least);
}
