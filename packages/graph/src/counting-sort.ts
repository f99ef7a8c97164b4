import { at } from "./column.ts";

/** Rows of a table by their numbers. */
export type Order = Uint32Array;

/** The rows as they stand. */
export const identityOrder = (length: number): Order => new Uint32Array(length).map((_, row) => row);

/**
 * Sorts rows by a column of keys below `bound`, in linear time. Rows of equal keys keep their order, so sorting by
 * the least significant column first and the most significant last sorts by all of them.
 */
export function sortRows(order: Order, keys: Uint32Array, bound: number): Order {
  const next = startsOf(keys, bound);
  const sorted = new Uint32Array(order.length);
  for (let position = 0; position < order.length; position += 1) {
    const row = at(order, position);
    const key = at(keys, row);
    const place = at(next, key);
    sorted[place] = row;
    next[key] = place + 1;
  }
  return sorted;
}

/** Sorts values by a column of keys likewise. */
export function sortValues(values: Uint32Array, keys: Uint32Array, bound: number): Uint32Array {
  const next = startsOf(keys, bound);
  const sorted = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row += 1) {
    const key = at(keys, row);
    const place = at(next, key);
    sorted[place] = at(values, row);
    next[key] = place + 1;
  }
  return sorted;
}

/** Where the rows of each key begin once they are sorted by it, and after the last where they end. */
export function startsOf(keys: Uint32Array, bound: number): Uint32Array {
  const starts = new Uint32Array(bound + 1);
  countKeys(keys, starts);
  addUp(starts);
  return starts;
}

/** Adds to the number after each key how often it comes. */
export function countKeys(keys: Uint32Array, counts: Uint32Array): void {
  for (let row = 0; row < keys.length; row += 1) {
    const key = at(keys, row);
    counts[key + 1] = at(counts, key + 1) + 1;
  }
}

/** Adds to each number all before it. */
export function addUp(counts: Uint32Array): void {
  for (let key = 1; key < counts.length; key += 1) counts[key] = at(counts, key) + at(counts, key - 1);
}
