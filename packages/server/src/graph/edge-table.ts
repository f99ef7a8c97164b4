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

/** Sorts edges by where they begin, where they end and their label, and makes equal ones one, their counts summed. */
export function sortAndMerge(edges: EdgeTable, bounds: { nodes: number; labels: number }): EdgeTable {
  const byLabel = sortRows(asTheyStand(edges.from.length), edges.labels, bounds.labels);
  const byTarget = sortRows(byLabel, edges.to, bounds.nodes);
  const order = sortRows(byTarget, edges.from, bounds.nodes);

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
  return {
    from: new Uint32Array(length),
    to: new Uint32Array(length),
    labels: new Uint32Array(length),
    counts: new Uint32Array(length),
  };
}

/** The first rows of a table, in memory of their own. */
export function firstRows({ from, to, labels, counts }: EdgeTable, length: number): EdgeTable {
  return {
    from: from.slice(0, length),
    to: to.slice(0, length),
    labels: labels.slice(0, length),
    counts: counts.slice(0, length),
  };
}

function isSameEdge(a: EdgeTable, rowOfA: number, b: EdgeTable, rowOfB: number): boolean {
  return (
    at(a.from, rowOfA) === at(b.from, rowOfB) &&
    at(a.to, rowOfA) === at(b.to, rowOfB) &&
    at(a.labels, rowOfA) === at(b.labels, rowOfB)
  );
}
