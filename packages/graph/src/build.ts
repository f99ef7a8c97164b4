import { type Adjacency, degreesOf } from "./adjacency.ts";
import { transposed } from "./edge-rows.ts";
import { Graph, type GraphColumns } from "./graph.ts";
import type { GraphRows } from "./graph-rows.ts";
import { packNodes } from "./node-columns.ts";
import { type GraphInput, rowsOf } from "./object-rows.ts";
import { resolveEdges } from "./resolve-edges.ts";
import { collectAliases } from "./search/aliases.ts";
import { rankOrder } from "./search/rank-order.ts";
import { indexTitles, rankTitles } from "./search/title-index.ts";

export type { GraphInput } from "./object-rows.ts";

/**
 * Builds the columns of a graph.
 *
 * - An edge leads from each node's parent to it; a parent that is not among the nodes counts as none.
 * - References from or to a node that is not among them are left out.
 * - References alike in both ends, type and name are one edge, their counts summed.
 * - References of a node to itself are left out: nothing shows them.
 *
 * Throws a RangeError where a node is given twice or not in the order of ids.
 */
export function buildColumns(rows: GraphRows): GraphColumns {
  const { ids, nodes, lookUp } = packNodes(rows.nodes);
  const aliases = collectAliases(rows.aliases, lookUp);
  const { edges, labels } = resolveEdges(rows.references, nodes.parents, lookUp);
  const out: Adjacency = { sense: "out", ...edges };
  const arriving: Adjacency = { sense: "in", ...transposed(edges) };
  const degrees = { in: degreesOf(arriving), out: degreesOf(out) };
  return {
    ids,
    nodes,
    labels,
    out,
    in: arriving,
    degrees,
    titles: rankTitles(indexTitles(nodes.titles, aliases), rankOrder(degrees, nodes.updatedAt), aliases),
  };
}

/** Builds a graph of objects: the same one whatever their order. Throws a RangeError where an id is malformed too. */
export function buildGraph(input: GraphInput): Graph {
  return new Graph(buildColumns(rowsOf(input)));
}
