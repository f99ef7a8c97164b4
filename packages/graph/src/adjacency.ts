import { at, type NarrowColumn, narrowAt } from "./columns.ts";
import type { GraphEdge } from "./edge.ts";

/** Edges as compressed sparse rows, one row a node. */
export interface EdgeRows {
  /** The start of each node's row; the last element is the end of the last row. */
  readonly offsets: Uint32Array;
  /** The node at the other end of each edge. */
  readonly nodes: Uint32Array;
  /** Indexes of labels. */
  readonly labels: NarrowColumn;
  /** Occurrences; a sum that 32 bits cannot hold stays at their maximum. */
  readonly counts: NarrowColumn;
}

/** The edges of every node in one direction. A row is sorted by the other end, then by label. */
export interface Adjacency extends EdgeRows {
  /** `out`: edges that start at the row's node. `in`: edges that end there. */
  readonly direction: "out" | "in";
}

/** The number of edges of a node in one direction. */
export function rowLength({ offsets }: EdgeRows, node: number): number {
  return at(offsets, node + 1) - at(offsets, node);
}

/** The positions of the edges between a row's node and another: from the first one up to, but not including, the second. */
export function edgesBetween(rows: EdgeRows, node: number, other: number): [first: number, end: number] {
  return [seek(rows, node, other), seek(rows, node, other + 1)];
}

function seek({ offsets, nodes }: EdgeRows, node: number, other: number): number {
  let low = at(offsets, node);
  let high = at(offsets, node + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(nodes, middle) < other) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An edge between indexes of nodes, with the index of its label. `Graph.edge` decodes it. */
export interface IndexedEdge extends Pick<GraphEdge, "count"> {
  readonly from: number;
  readonly to: number;
  readonly label: number;
}

/** The edge at a position of a node's row. */
export function edgeAt(adjacency: Adjacency, node: number, position: number): IndexedEdge {
  const { direction, nodes, labels, counts } = adjacency;
  const other = at(nodes, position);
  const [from, to] = direction === "out" ? [node, other] : [other, node];
  return { from, to, label: narrowAt(labels, position), count: narrowAt(counts, position) };
}
