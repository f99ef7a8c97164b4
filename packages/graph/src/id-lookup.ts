import { at } from "./column.ts";
import { startsOf } from "./counting-sort.ts";
import { compareIds, type NodeIds, wordsPerId } from "./node-ids.ts";

/** The index of the node whose id stands at a position among these ids, -1 where the graph has none. */
export type IdLookup = (among: NodeIds, position: number) => number;

/**
 * For looking up millions: ids that begin alike are searched alone, and where they begin is known. Ids are mostly
 * random, so that few are left; where they are not, it is a binary search like any other.
 */
export function idLookup(ids: NodeIds): IdLookup {
  const count = ids.length / wordsPerId;
  const bits = Math.max(1, Math.ceil(Math.log2(count + 1)));
  const shift = 32 - Math.min(bits, 24);
  const beginnings = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) beginnings[index] = at(ids, index * wordsPerId) >>> shift;
  const starts = startsOf(beginnings, 2 ** (32 - shift));
  return (among, position) => {
    const beginning = at(among, position * wordsPerId) >>> shift;
    let low = at(starts, beginning);
    let high = at(starts, beginning + 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareIds(ids, middle, among, position);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  };
}
