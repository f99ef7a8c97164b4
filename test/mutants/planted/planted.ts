// Code with a planted hole, for the tests of the campaign: no check calls `unchecked`.

/** The price of a ticket, by age. */
export function price(age: number): number {
  if (age < 6) return 0;
  return age >= 65 ? 5 : 10;
}

/** Whether a group pays less. */
export function unchecked(size: number): boolean {
  return size > 9 && size !== 13;
}

/** Counts up to a number. */
export function countTo(end: number): number {
  let count = 0;
  while (count < end) count += 1;
  return count;
}
