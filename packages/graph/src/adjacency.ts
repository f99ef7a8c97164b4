import { at } from "./column.ts";
import type { EdgeRows } from "./edge-rows.ts";

/** The edges of every node in one sense. A row is in the order of the other ends, then of the labels. */
export interface Adjacency extends EdgeRows {
  /** `out`: a row's edges begin at its node. `in`: they end there. */
  readonly sense: "out" | "in";
}

export function rowLength({ offsets }: Adjacency, node: number): number {
  return at(offsets, node + 1) - at(offsets, node);
}

/** Where in a node's row the edges with this other end begin, and where they end. */
export function edgesBetween(
  adjacency: Adjacency,
  node: number,
  otherEnd: number,
): [first: number, end: number] {
  return [seek(adjacency, node, otherEnd), seek(adjacency, node, otherEnd + 1)];
}

function seek({ offsets, nodes }: Adjacency, node: number, otherEnd: number): number {
  let low = at(offsets, node);
  let high = at(offsets, node + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(nodes, middle) < otherEnd) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many edges each row has. */
export function degreesOf(adjacency: Adjacency): Uint32Array {
  return new Uint32Array(adjacency.offsets.length - 1).map((_, node) => rowLength(adjacency, node));
}
