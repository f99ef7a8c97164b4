/** A cell of a column that is known to have it. */
export function cell(column: Uint32Array | Int32Array | Uint8Array, index: number): number {
  return column[index] ?? 0;
}
