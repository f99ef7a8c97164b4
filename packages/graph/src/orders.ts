import { at, identityOrder } from "./columns.ts";
import { type PackedTexts, type SortedTexts, sortTexts } from "./packed-texts.ts";
import { sortByFloats, sortByNumbers } from "./radix-sort.ts";

/** The nodes in the orders of lists (GRAPH-19), each ascending; nodes with equal values by id. */
export interface NodeOrders {
  readonly updated: Uint32Array;
  readonly created: Uint32Array;
  /** By folded title, in the order of code points. */
  readonly title: Uint32Array;
  readonly degree: Uint32Array;
  readonly importance: Uint32Array;
}

/** All orders but that of titles, which `titleOrder` computes. */
export function numericOrders(columns: {
  readonly updatedAt: Float64Array;
  readonly createdAt: Float64Array;
  readonly degrees: Uint32Array;
  readonly importance: Uint16Array;
}): Omit<NodeOrders, "title"> {
  const nodes = identityOrder(columns.degrees.length);
  return {
    updated: sortByFloats(nodes, columns.updatedAt, "ascending"),
    created: sortByFloats(nodes, columns.createdAt, "ascending"),
    degree: sortByNumbers(nodes, columns.degrees, "ascending"),
    importance: sortByNumbers(nodes, Uint32Array.from(columns.importance), "ascending"),
  };
}

/** The nodes by title, then id. `texts`: the titles in the order of nodes, perhaps with aliases after them. */
export function titleOrder(texts: PackedTexts, sorted: SortedTexts, nodeCount: number): Uint32Array {
  const { owners } = differsByCodePoint(texts.units) ? sortedByCodePoint(texts) : sorted;
  const order = owners.length === nodeCount ? owners.slice() : owners.filter((text) => text < nodeCount);
  let start = 0;
  for (let position = 1; position <= nodeCount; position += 1) {
    const isEqual = position < nodeCount && areEqual(texts, at(order, position - 1), at(order, position));
    if (isEqual) continue;
    if (position - start > 1) order.subarray(start, position).sort();
    start = position;
  }
  return order;
}

function areEqual({ units, offsets }: PackedTexts, one: number, other: number): boolean {
  const [start, end, otherStart] = [at(offsets, one), at(offsets, one + 1), at(offsets, other)];
  if (at(offsets, other + 1) - otherStart !== end - start) return false;
  for (let index = start; index < end; index += 1) {
    if (units[index] !== units[otherStart + index - start]) return false;
  }
  return true;
}

/** Whether texts have both surrogates and characters that code units put after them: the only ones out of order. */
function differsByCodePoint(units: Uint16Array): boolean {
  let [hasSurrogates, hasLater] = [false, false];
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index] ?? 0;
    if (unit < 0xd800) continue;
    if (unit < 0xe000) hasSurrogates = true;
    else hasLater = true;
  }
  return hasSurrogates && hasLater;
}

function sortedByCodePoint({ units, offsets }: PackedTexts): SortedTexts {
  const shifted = units.map(unitInCodePointOrder);
  return sortTexts({ units: shifted, offsets }, offsets.slice(0, -1));
}

/** Moves surrogates after all other code units. */
function unitInCodePointOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Compares texts by code point: negative if `a` comes first. */
export function compareByCodePoint(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const [one, other] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (one !== other) return unitInCodePointOrder(one) - unitInCodePointOrder(other);
  }
  return a.length - b.length;
}
