import { edgeAt } from "./adjacency.ts";
import { at } from "./columns.ts";
import { type GraphEdge, labelAt } from "./edge.ts";
import type { Graph } from "./graph.ts";
import type { GraphNode } from "./node.ts";
import { nodeAt } from "./node-columns.ts";
import { idAt } from "./node-ids.ts";

/*
 * The whole graph, one part at a time. Callers may do other things between two parts: a graph never changes, and no scratch
 * memory is used. Nodes are decoded past the graph's memory of decoded ones, which one scan would displace.
 */

/** All nodes, in the order of their ids. */
export function* nodesOf({ columns, nodeCount }: Graph): Generator<GraphNode> {
  for (let index = 0; index < nodeCount; index += 1) yield nodeAt(columns.nodes, columns.ids, index);
}

/** All edges, in the order of their sources, then of their targets, then of their types and names. */
export function* edgesOf({ columns, nodeCount }: Graph): Generator<GraphEdge> {
  const { ids, labels, out } = columns;
  for (let node = 0; node < nodeCount; node += 1) {
    const end = at(out.offsets, node + 1);
    const from = idAt(ids, node);
    for (let position = at(out.offsets, node); position < end; position += 1) {
      const { to, label, count } = edgeAt(out, node, position);
      const { type, name } = labelAt(labels, label);
      yield { from, to: idAt(ids, to), type, name, count };
    }
  }
}
