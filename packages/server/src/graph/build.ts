import type { GraphRows } from "../model/graph-rows.ts";
import { degreesOf, incoming, outgoing } from "./adjacency.ts";
import { Graph, type GraphColumns } from "./graph.ts";
import { packNodes } from "./node-columns.ts";
import { type GraphInput, rowsOf } from "./object-rows.ts";
import { resolveEdges } from "./resolve-edges.ts";
import { rankOrder } from "./search/rank-order.ts";
import { indexTitles } from "./search/title-index.ts";
import { textAt } from "./text-column.ts";

export type { GraphInput } from "./object-rows.ts";

/**
 * Builds the columns of a graph.
 *
 * - An edge leads from each node's parent to it; a parent that is not among the nodes counts as none.
 * - Threads from or to a node that is not among them are left out.
 * - Threads alike in both ends, type and name are one edge, their counts summed.
 * - Threads of a node to itself are edges, but count towards no degree and lead a walk nowhere.
 *
 * Throws a RangeError where a node is given twice or not in the order of ids.
 */
export function buildColumns(rows: GraphRows): GraphColumns {
  const { ids, nodes, lookUp } = packNodes(rows.nodes);
  const { edges, labels } = resolveEdges(rows.threads, nodes.parents, lookUp);
  const nodeCount = nodes.types.length;
  const adjacency = { out: outgoing(edges, nodeCount), in: incoming(edges, nodeCount) };
  const degrees = { in: degreesOf(adjacency.in), out: degreesOf(adjacency.out) };
  return {
    ids,
    nodes,
    labels,
    ...adjacency,
    degrees,
    titles: indexTitles(rankOrder(degrees, nodes.updatedAt), (node) => textAt(nodes.titles, node) ?? ""),
  };
}

/** Builds a graph of objects: the same one whatever their order. Throws a RangeError where an id is malformed too. */
export function buildGraph(input: GraphInput): Graph {
  return new Graph(buildColumns(rowsOf(input)));
}
