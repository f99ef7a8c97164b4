import { at, unitAt } from "../column.ts";

/** A run of sorted positions, `to` not included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const lengthOf = ({ from, to }: Range): number => to - from;

/**
 * Sorts positions in packed texts by what stands there, in the order of code units, as far as `depth` units.
 * Bentley and Sedgewick's multikey quicksort: no text is compared twice with what it is known to share.
 */
export function sortPositions(units: Uint16Array, positions: Uint32Array, depth: number): void {
  const pending = [0, positions.length, 0];
  for (;;) {
    const shared = pending.pop();
    const to = pending.pop();
    const from = pending.pop();
    if (shared === undefined || to === undefined || from === undefined) return;
    if (shared === depth || to - from < 2) continue;
    if (to - from <= fewPositions) {
      insertionSort(units, positions, from, to, shared, depth);
      continue;
    }
    const pivot = medianUnit(units, positions, from, to, shared);
    const alike = partition(units, positions, { from, to }, shared, pivot);
    pending.push(from, alike.from, shared, alike.to, to, shared);
    // A zero ends all texts that have come to it.
    if (pivot !== 0) pending.push(alike.from, alike.to, shared + 1);
  }
}

/** Puts positions with a unit less than the pivot first, with a greater one last. Returns those that have the pivot. */
function partition(
  units: Uint16Array,
  positions: Uint32Array,
  { from, to }: Range,
  shared: number,
  pivot: number,
): Range {
  let [less, next, greater] = [from, from, to];
  while (next < greater) {
    const position = at(positions, next);
    const unit = unitAt(units, position + shared);
    if (unit === pivot) next += 1;
    else if (unit < pivot) {
      positions[next] = at(positions, less);
      positions[less] = position;
      less += 1;
      next += 1;
    } else {
      greater -= 1;
      positions[next] = at(positions, greater);
      positions[greater] = position;
    }
  }
  return { from: less, to: greater };
}

/** Of all positions that are sorted, or of a range of them, those where a text stands `skipped` units further on. */
export function rangeOf(
  units: Uint16Array,
  positions: Uint32Array,
  text: string,
  within: Range = { from: 0, to: positions.length },
  skipped = 0,
): Range {
  const seek = (start: number, beyond: number) => {
    let [low, high] = [start, within.to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(units, at(positions, middle) + skipped, text) < beyond) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const from = seek(within.from, 0);
  return { from, to: seek(from, 1) };
}

/** Below 0 where what stands at a position comes before a text, 0 where the text stands there, above 0 where after. */
export function compareText(units: Uint16Array, position: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const difference = unitAt(units, position + index) - text.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return 0;
}

const fewPositions = 10;

function insertionSort(
  units: Uint16Array,
  positions: Uint32Array,
  from: number,
  to: number,
  shared: number,
  depth: number,
): void {
  for (let end = from + 1; end < to; end += 1) {
    const position = at(positions, end);
    let place = end;
    while (place > from && isBefore(units, position, at(positions, place - 1), shared, depth)) {
      positions[place] = at(positions, place - 1);
      place -= 1;
    }
    positions[place] = position;
  }
}

function isBefore(units: Uint16Array, a: number, b: number, shared: number, depth: number): boolean {
  for (let index = shared; index < depth; index += 1) {
    const unit = unitAt(units, a + index);
    const difference = unit - unitAt(units, b + index);
    if (difference !== 0) return difference < 0;
    if (unit === 0) return false;
  }
  return false;
}

function medianUnit(
  units: Uint16Array,
  positions: Uint32Array,
  from: number,
  to: number,
  shared: number,
): number {
  const a = unitAt(units, at(positions, from) + shared);
  const b = unitAt(units, at(positions, (from + to) >>> 1) + shared);
  const c = unitAt(units, at(positions, to - 1) + shared);
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
