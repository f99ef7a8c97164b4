/** The first index from `start` on for which a test holds, `end` if there is none. It holds for all indexes after that one. */
export function firstIndex(start: number, end: number, holds: (index: number) => boolean): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index of the last number that is not greater than `limit`, -1 if all are; the numbers ascend. */
export function lastAtMost(numbers: ArrayLike<number>, limit: number): number {
  return firstIndex(0, numbers.length, (index) => (numbers[index] ?? 0) > limit) - 1;
}
