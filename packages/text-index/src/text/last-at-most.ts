/** The index of the last number that is not greater, -1 if all are; the numbers ascend. */
export function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = -1;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
