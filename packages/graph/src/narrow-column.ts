import { at } from "./column.ts";

/** A column of whole numbers in as few bytes each as the largest of them needs. */
export type NarrowColumn = Uint8Array | Uint16Array | Uint32Array;

/** A column of zeros that can hold numbers up to `largest`. */
export function narrowColumn(length: number, largest: number): NarrowColumn {
  if (largest <= 0xff) return new Uint8Array(length);
  return largest <= 0xffff ? new Uint16Array(length) : new Uint32Array(length);
}

/** Its elements, as `at` has those of other columns: apart, so that reads of those stay monomorphic. */
export const narrowAt = (column: NarrowColumn, index: number): number => column[index] as number;

/** The same numbers in as few bytes as they need. */
export function narrowed(column: Uint32Array): NarrowColumn {
  let largest = 0;
  for (let index = 0; index < column.length; index += 1) largest = Math.max(largest, at(column, index));
  const narrow = narrowColumn(column.length, largest);
  narrow.set(column);
  return narrow;
}
