import type { Thread } from "../model/edge.ts";
import type { GraphNode } from "../model/node.ts";
import type { NodeId } from "../model/node-id.ts";
import { degreesOf, incoming, outgoing } from "./adjacency.ts";
import { Graph } from "./graph.ts";
import { packNodes } from "./node-columns.ts";
import { packIds } from "./node-ids.ts";
import { resolveEdges } from "./resolve-edges.ts";
import { indexTitles } from "./search/title-index.ts";

export interface GraphInput {
  readonly nodes: readonly GraphNode[];
  /** May begin or end at nodes that are not among `nodes`. */
  readonly threads: readonly { readonly from: NodeId; readonly thread: Thread }[];
}

/**
 * Builds a graph: the same one whatever the order of the input.
 *
 * - An edge leads from each node's parent to it; a parent that is not among the nodes counts as none.
 * - Threads from or to a node that is not among them are left out.
 * - Threads alike in both ends, type and name are one edge, their counts summed.
 * - Threads of a node to itself are edges, but count towards no degree and lead a walk nowhere.
 *
 * Throws a RangeError where an id is malformed or given twice.
 */
export function buildGraph(input: GraphInput): Graph {
  const sorted = sortedById(input.nodes);
  const ids = packIds(sorted.map(({ id }) => id));
  const nodes = packNodes(sorted, ids);
  const { edges, labels } = resolveEdges(input.threads, nodes.parents, ids);
  const adjacency = { out: outgoing(edges, sorted.length), in: incoming(edges, sorted.length) };
  return new Graph({
    ids,
    nodes,
    labels,
    ...adjacency,
    degrees: { in: degreesOf(adjacency.in), out: degreesOf(adjacency.out) },
    titles: indexTitles(sorted.map(({ title }) => title)),
  });
}

/** Nodes by id. The store reads them in that order, so that there is usually nothing to sort. */
function sortedById(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const inOrder = nodes.every(({ id }, index) => index === 0 || (nodes[index - 1]?.id ?? "") < id);
  if (inOrder) return nodes;
  const sorted = nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const twice = sorted.find(({ id }, index) => sorted[index + 1]?.id === id);
  if (twice) throw new RangeError(`node ${twice.id} is given twice`);
  return sorted;
}
