/**
 * Elements of typed columns, at indexes that lie within them by construction: the one thing about them that the
 * type checker cannot know. A function for each kind of column keeps the engine's reads monomorphic; narrow columns
 * have `narrowAt`.
 */
export const at = (column: Uint32Array, index: number): number => column[index] as number;
export const byteAt = (column: Uint8Array, index: number): number => column[index] as number;
export const unitAt = (column: Uint16Array, index: number): number => column[index] as number;
export const timeAt = (column: Float64Array, index: number): number => column[index] as number;
