import type { Adjacency } from "./adjacency.ts";
import { at } from "./column.ts";
import type { GraphEdge } from "./edge.ts";
import { narrowAt } from "./narrow-column.ts";

/** An edge as walks know it: its ends are indexes of nodes, its label an index too. `Graph.edge` reads it. */
export interface IndexedEdge extends Pick<GraphEdge, "count"> {
  readonly from: number;
  readonly to: number;
  readonly label: number;
}

/** The edge at a position of a node's row. */
export function edgeAt(
  { sense, nodes, labels, counts }: Adjacency,
  node: number,
  position: number,
): IndexedEdge {
  const other = at(nodes, position);
  const [from, to] = sense === "out" ? [node, other] : [other, node];
  return { from, to, label: narrowAt(labels, position), count: narrowAt(counts, position) };
}
