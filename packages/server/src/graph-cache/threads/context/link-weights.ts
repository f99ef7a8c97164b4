import { type Graph, labelAt, rowLength } from "@clew/graph";

/** A parent or child is a tenth of what a link in a text is, as for importance (GRAPH-20). */
const childWeight = 0.1;

/** Edges of one node that are looked at in each direction: nothing is learned from the links of a hub. */
const maxEdges = 1000;

/**
 * The nodes that are linked with a node, in either direction, each with a weight of at most 1. Like what pages share
 * (GRAPH-21), a link to a page with many edges counts less.
 */
export function linkedWith({ columns }: Graph, node: number): Map<number, number> {
  const degreeOf = (of: number) => rowLength(columns.in, of) + rowLength(columns.out, of);
  const weights = new Map<number, number>();
  for (const rows of [columns.out, columns.in]) {
    const start = rows.offsets[node] ?? 0;
    const end = Math.min(start + rowLength(rows, node), start + maxEdges);
    for (let position = start; position < end; position += 1) {
      const other = rows.nodes[position] ?? node;
      if (other === node) continue;
      const { type } = labelAt(columns.labels, rows.labels[position] ?? 0);
      const weight = ((type === "child" ? childWeight : 1) * Math.log(3)) / Math.log(2 + degreeOf(other));
      weights.set(other, Math.max(weights.get(other) ?? 0, weight));
    }
  }
  return weights;
}
