import { at } from "./column.ts";
import { asTheyStand, sortRows } from "./counting-sort.ts";

/** Edges as rows of columns. */
export interface EdgeTable {
  /** Indexes of nodes. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Indexes of labels. */
  readonly labels: Uint32Array;
  /** Occurrences; a sum that 32 bits cannot hold stays at their maximum. */
  readonly counts: Uint32Array;
}

const maximumCount = 0xffff_ffff;

/**
 * Sorts edges that stand in the order of their labels by where they begin and where they end as well, and makes equal
 * ones one, their counts summed.
 */
export function sortAndMerge(edges: EdgeTable, nodeCount: number): EdgeTable {
  const byTarget = sortRows(asTheyStand(edges.from.length), edges.to, nodeCount);
  const order = sortRows(byTarget, edges.from, nodeCount);

  const merged = emptyTable(order.length);
  let length = 0;
  for (let position = 0; position < order.length; position += 1) {
    const row = at(order, position);
    if (length === 0 || !isSameEdge(merged, length - 1, edges, row)) {
      merged.from[length] = at(edges.from, row);
      merged.to[length] = at(edges.to, row);
      merged.labels[length] = at(edges.labels, row);
      length += 1;
    }
    const count = at(merged.counts, length - 1) + at(edges.counts, row);
    merged.counts[length - 1] = Math.min(count, maximumCount);
  }
  return firstRows(merged, length);
}

export function emptyTable(length: number): EdgeTable {
  const column = sideBySide(length, 4);
  return { from: column(0), to: column(1), labels: column(2), counts: column(3) };
}

/**
 * Makes columns in one piece of memory, which a large graph gives back to the system whole when it is done with:
 * allocators keep pieces of some megabytes for later.
 */
export function sideBySide(length: number, columns: number): (place: number) => Uint32Array {
  const memory = new ArrayBuffer(columns * length * Uint32Array.BYTES_PER_ELEMENT);
  return (place) => new Uint32Array(memory, place * length * Uint32Array.BYTES_PER_ELEMENT, length);
}

/** The first rows of a table, in memory of their own; where they begin apart from the rest, which is kept for longer. */
function firstRows({ from, to, labels, counts }: EdgeTable, length: number): EdgeTable {
  const column = sideBySide(length, 3);
  const rows = { from: from.slice(0, length), to: column(0), labels: column(1), counts: column(2) };
  rows.to.set(to.subarray(0, length));
  rows.labels.set(labels.subarray(0, length));
  rows.counts.set(counts.subarray(0, length));
  return rows;
}

function isSameEdge(a: EdgeTable, rowOfA: number, b: EdgeTable, rowOfB: number): boolean {
  return (
    at(a.from, rowOfA) === at(b.from, rowOfB) &&
    at(a.to, rowOfA) === at(b.to, rowOfB) &&
    at(a.labels, rowOfA) === at(b.labels, rowOfB)
  );
}
