import type { TermTable } from "../text/terms.ts";
import { at } from "./bytes.ts";

/** Fewer terms than this are sorted by comparing them. */
const fewTerms = 16;

/** Terms that begin with the same `depth` units. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/**
 * The numbers of all terms of a table in the order of their UTF-8, which is that of their code points. Many terms are
 * sorted by two of their units at a time, as integers, which is faster than to compare texts.
 */
export function sortTerms(table: TermTable): Uint32Array {
  const numbers = Uint32Array.from({ length: table.count }, (_, index) => index + 1);
  const sorting = new BigUint64Array(table.count);
  const open: Range[] = [{ start: 0, end: table.count, depth: 0 }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    if (range.end - range.start < fewTerms) sortFew(table, numbers, range);
    else open.push(...sortByUnits(table, numbers, range, sorting));
  }
  return numbers;
}

/** Sorts terms by their next two units. Returns the ranges of those that have both in common. */
function sortByUnits(
  table: TermTable,
  numbers: Uint32Array,
  { start, end, depth }: Range,
  sorting: BigUint64Array,
): Range[] {
  const length = end - start;
  // Of each integer the number, then the units: wherever Node runs, the low half comes first.
  const halves = new Uint32Array(sorting.buffer, 0, 2 * length);
  for (let index = 0; index < length; index += 1) {
    const number = at(numbers, start + index);
    halves[2 * index] = number;
    halves[2 * index + 1] = orderAt(table, number, depth) * 0x1_0000 + orderAt(table, number, depth + 1);
  }
  sorting.subarray(0, length).sort();
  const alike: Range[] = [];
  let first = 0;
  for (let index = 0; index < length; index += 1) {
    numbers[start + index] = at(halves, 2 * index);
    const isLast = index + 1 === length || at(halves, 2 * index + 3) !== at(halves, 2 * index + 1);
    if (!isLast) continue;
    if (index > first) alike.push({ start: start + first, end: start + index + 1, depth: depth + 2 });
    first = index + 1;
  }
  return alike;
}

/** An insertion sort. */
function sortFew(table: TermTable, numbers: Uint32Array, { start, end, depth }: Range): void {
  for (let next = start + 1; next < end; next += 1) {
    const number = at(numbers, next);
    let index = next;
    for (; index > start && precedes(table, number, at(numbers, index - 1), depth); index -= 1) {
      numbers[index] = at(numbers, index - 1);
    }
    numbers[index] = number;
  }
}

function precedes(table: TermTable, a: number, b: number, depth: number): boolean {
  let index = depth;
  while (table.unitAt(a, index) === table.unitAt(b, index)) index += 1;
  return orderAt(table, a, index) < orderAt(table, b, index);
}

/**
 * The place of a unit in the order of code points, which differs from that of units: surrogates stand for code points above
 * all others. 0 after the end of a term; no term has the character 0.
 */
function orderAt(table: TermTable, number: number, index: number): number {
  const unit = table.unitAt(number, index);
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
