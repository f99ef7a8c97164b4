/** A number, or the text that it is written as: one that a number does not hold, or with zeros before it, as an id or a code has. */
export function numberOr(written: string, value: number): number | string {
  return isExact(value) && !/^[+-]?0\d/.test(written) ? value : written;
}

/** Whether a number is certainly what was written: it is finite, and no whole number above 2^53. */
export function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
