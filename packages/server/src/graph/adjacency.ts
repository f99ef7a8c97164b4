import { at } from "./column.ts";
import { asTheyStand, sortRows, startsOf } from "./counting-sort.ts";
import { type EdgeTable, sideBySide } from "./edge-table.ts";

/**
 * The edges of every node in one sense, as compressed sparse rows: row by row the node at an edge's other end, the
 * edge's label and its occurrences. A row is in the order of the other ends, then of the labels.
 */
export interface Adjacency {
  /** `out`: a row's edges begin at its node. `in`: they end there. */
  readonly sense: "out" | "in";
  /** Where the row of each node begins, and after the last where it ends. */
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
  readonly labels: Uint32Array;
  readonly counts: Uint32Array;
}

/** The edges that leave each node, given edges sorted by where they begin, where they end and their label. */
export function outgoing({ from, to, labels, counts }: EdgeTable, nodeCount: number): Adjacency {
  return { sense: "out", offsets: startsOf(from, nodeCount), nodes: to, labels, counts };
}

/** The edges that reach each node, given edges sorted likewise. */
export function incoming({ from, to, labels, counts }: EdgeTable, nodeCount: number): Adjacency {
  const order = sortRows(asTheyStand(to.length), to, nodeCount);
  const column = sideBySide(order.length, 3);
  const rows = { nodes: column(0), labels: column(1), counts: column(2) };
  for (let position = 0; position < order.length; position += 1) {
    const row = at(order, position);
    rows.nodes[position] = at(from, row);
    rows.labels[position] = at(labels, row);
    rows.counts[position] = at(counts, row);
  }
  return { sense: "in", offsets: startsOf(to, nodeCount), ...rows };
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

/** How many edges each row has, those of a node to itself left out. */
export function degreesOf(adjacency: Adjacency): Uint32Array {
  return new Uint32Array(adjacency.offsets.length - 1).map((_, node) => {
    const [firstLoop, end] = edgesBetween(adjacency, node, node);
    return rowLength(adjacency, node) - (end - firstLoop);
  });
}
