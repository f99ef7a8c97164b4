/** An element of a column. The index must be in range. */
export function cell(column: Uint32Array | Int32Array | Uint8Array, index: number): number {
  return column[index] ?? 0;
}
