import { fold, foldByUnit } from "@clew/text/basics";
import { at, unitAt } from "./columns.ts";

/** Texts as UTF-16 code units, one after the other. Each ends with a zero, which no folded text contains. */
export interface PackedTexts {
  readonly units: Uint16Array;
  /** The start of each text; the last element is the end of the last text. */
  readonly offsets: Uint32Array;
}

/** Folds and packs texts. `expectedUnits` is about how many code units they take. */
export function packFolded(
  count: number,
  textOf: (row: number) => string,
  expectedUnits: number,
): PackedTexts {
  const offsets = new Uint32Array(count + 1);
  let units = new Uint16Array(expectedUnits);
  const reserve = (length: number) => {
    if (length <= units.length) return;
    const longer = new Uint16Array(2 * length);
    longer.set(units);
    units = longer;
  };
  let end = 0;
  for (let row = 0; row < count; row += 1) {
    const text = textOf(row);
    reserve(end + text.length + 1);
    const foldedEnd = foldByUnit(text, units, end);
    if (foldedEnd >= 0) end = foldedEnd + 1;
    else {
      const folded = fold(text);
      reserve(end + folded.length + 1);
      writeUnits(folded, units, end);
      end += folded.length + 1;
    }
    units[end - 1] = 0;
    offsets[row + 1] = end;
  }
  return { units: units.slice(0, end), offsets };
}

export function textOf({ units, offsets }: PackedTexts, row: number): string {
  const [start, end] = [at(offsets, row), at(offsets, row + 1) - 1];
  return Buffer.from(units.buffer, units.byteOffset + 2 * start, 2 * (end - start)).toString("utf16le");
}

export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  writeUnits(text, units, 0);
  return units;
}

function writeUnits(text: string, units: Uint16Array, start: number): void {
  for (let index = 0; index < text.length; index += 1) units[start + index] = text.charCodeAt(index);
}

/** Positions in packed texts, sorted by the text that starts there. */
export interface SortedTexts {
  readonly positions: Uint32Array;
  /** The text that contains each position. */
  readonly owners: Uint32Array;
}

/** Sorts positions, in place, by the first `depth` code units from there. */
export function sortTexts(
  { units, offsets }: PackedTexts,
  positions: Uint32Array,
  depth = Number.POSITIVE_INFINITY,
): SortedTexts {
  sortPositions(units, positions, depth);
  const ownerOf = ownerLookup(offsets);
  return { positions, owners: positions.map((position) => ownerOf(position)) };
}

/** Finds the text that contains a position: a table says which one contains the start of its block of 16 units. */
function ownerLookup(offsets: Uint32Array): (position: number) => number {
  const end = at(offsets, offsets.length - 1);
  const firsts = new Uint32Array((end >>> blockShift) + 1);
  let text = 0;
  for (let block = 0; block << blockShift < end; block += 1) {
    while (at(offsets, text + 1) <= block << blockShift) text += 1;
    firsts[block] = text;
  }
  return (position) => {
    let found = at(firsts, position >>> blockShift);
    while (at(offsets, found + 1) <= position) found += 1;
    return found;
  };
}

const blockShift = 4;

/** A range of indexes, `to` excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const lengthOf = ({ from, to }: Range): number => to - from;

/** The range of sorted positions, within another range, at which `text` stands `skipped` units further on. */
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

/** 0 if `text` stands at the position, negative if what stands there comes before it, positive if after. */
export function compareText(units: Uint16Array, position: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const difference = unitAt(units, position + index) - text.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Sorts positions by what stands there, in the order of code units, as far as `depth` units.
 * Bentley and Sedgewick's multikey quicksort: units that are known to be equal are not compared again.
 */
export function sortPositions(units: Uint16Array, positions: Uint32Array, depth: number): void {
  const pending = [0, positions.length, 0];
  for (;;) {
    const shared = pending.pop();
    const to = pending.pop();
    const from = pending.pop();
    if (shared === undefined || to === undefined || from === undefined) return;
    if (shared === depth || to - from < 2) continue;
    if (to - from <= insertionSortLength) {
      insertionSort(units, positions, { from, to }, shared, depth);
      continue;
    }
    const pivot = medianUnit(units, positions, { from, to }, shared);
    const equal = partition(units, positions, { from, to }, shared, pivot);
    pending.push(from, equal.from, shared, equal.to, to, shared);
    // A zero ends every text that has reached it.
    if (pivot !== 0) pending.push(equal.from, equal.to, shared + 1);
  }
}

const insertionSortLength = 10;

/** Puts positions with a smaller unit than the pivot first and those with a greater one last. Returns the equal ones. */
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

function insertionSort(
  units: Uint16Array,
  positions: Uint32Array,
  { from, to }: Range,
  shared: number,
  depth: number,
): void {
  for (let end = from + 1; end < to; end += 1) {
    const position = at(positions, end);
    let slot = end;
    while (slot > from && isBefore(units, position, at(positions, slot - 1), shared, depth)) {
      positions[slot] = at(positions, slot - 1);
      slot -= 1;
    }
    positions[slot] = position;
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

function medianUnit(units: Uint16Array, positions: Uint32Array, { from, to }: Range, shared: number): number {
  const a = unitAt(units, at(positions, from) + shared);
  const b = unitAt(units, at(positions, (from + to) >>> 1) + shared);
  const c = unitAt(units, at(positions, to - 1) + shared);
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
