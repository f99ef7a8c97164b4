import { at } from "./column.ts";
import { startsOf } from "./counting-sort.ts";
import { type NarrowColumn, narrowAt, narrowed } from "./narrow-column.ts";

/** Edges as compressed sparse rows: row by row the node at an edge's other end, the edge's label and its occurrences. */
export interface EdgeRows {
  /** Where the row of each node begins, and after the last where it ends. */
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
  /** Indexes of labels. */
  readonly labels: NarrowColumn;
  readonly counts: NarrowColumn;
}

/** A sum of occurrences that 32 bits cannot hold stays at their maximum. */
const maximumCount = 0xffff_ffff;

/**
 * The same edges in rows of their other ends. A row comes out in the order of the nodes that it has, and edges between
 * the same two nodes in the order that they had.
 */
export function transposed({ offsets, nodes, labels, counts }: EdgeRows): EdgeRows {
  const starts = startsOf(nodes, offsets.length - 1);
  const next = starts.slice();
  const rows = {
    offsets: starts,
    nodes: new Uint32Array(nodes.length),
    labels: labels.slice(),
    counts: counts.slice(),
  };
  for (let node = 0; node + 1 < offsets.length; node += 1) {
    const end = at(offsets, node + 1);
    for (let position = at(offsets, node); position < end; position += 1) {
      const other = at(nodes, position);
      const place = at(next, other);
      next[other] = place + 1;
      rows.nodes[place] = node;
      rows.labels[place] = narrowAt(labels, position);
      rows.counts[place] = narrowAt(counts, position);
    }
  }
  return rows;
}

/** Makes neighbours one that are alike in their other end and label, their counts summed. Uses the memory up. */
export function coalesced({ offsets, nodes, labels, counts }: EdgeRows): EdgeRows {
  const sums = new Uint32Array(nodes.length);
  let length = 0;
  let start = 0;
  for (let node = 0; node + 1 < offsets.length; node += 1) {
    const first = length;
    const end = at(offsets, node + 1);
    for (let position = start; position < end; position += 1) {
      const [other, label] = [at(nodes, position), narrowAt(labels, position)];
      const last = length - 1;
      if (length === first || at(nodes, last) !== other || narrowAt(labels, last) !== label) {
        nodes[length] = other;
        labels[length] = label;
        length += 1;
      }
      sums[length - 1] = Math.min(at(sums, length - 1) + narrowAt(counts, position), maximumCount);
    }
    start = end;
    offsets[node + 1] = length;
  }
  const isWhole = length === nodes.length;
  return {
    offsets,
    nodes: isWhole ? nodes : nodes.slice(0, length),
    labels: isWhole ? labels : labels.slice(0, length),
    counts: narrowed(sums.subarray(0, length)),
  };
}
