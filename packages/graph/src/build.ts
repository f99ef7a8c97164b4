import { type Adjacency, rowLength } from "./adjacency.ts";
import { identityOrder, inSharedMemory, inverse } from "./columns.ts";
import type { GraphColumns } from "./graph.ts";
import type { GraphRows } from "./graph-rows.ts";
import { importanceOf } from "./importance.ts";
import { packNodes } from "./node-columns.ts";
import { numericOrders, titleOrder } from "./orders.ts";
import { sortByFloats, sortByNumbers } from "./radix-sort.ts";
import { resolveEdges, transposed } from "./resolve-edges.ts";
import { collectAliases, indexTitles, rankTitles } from "./title-index.ts";
import { traitsOf } from "./traits.ts";
import { treeOf } from "./tree.ts";

/**
 * Builds the columns of a graph, in memory that threads can share.
 *
 * - Each node has a `child` edge from its parent. A parent that is not among the nodes counts as none.
 * - References from or to a node that is not among the nodes are left out, and so are references of a node to itself.
 * - References with the same ends, type and name become one edge, their counts summed.
 *
 * Throws a RangeError if a node comes twice or out of the order of ids.
 */
export function buildColumns(rows: GraphRows): GraphColumns {
  const { ids, nodes, contentStates, marks, lookUp } = packNodes(rows);
  const aliases = collectAliases(rows.aliases, lookUp);
  const { edges, labels, broken } = resolveEdges(rows.references, nodes.parents, lookUp);
  const outgoing: Adjacency = { direction: "out", ...edges };
  const incoming: Adjacency = { direction: "in", ...transposed(edges) };
  const importance = importanceOf(outgoing, incoming, labels);
  const degrees = nodes.parents.map((_, node) => rowLength(incoming, node) + rowLength(outgoing, node));
  const latestFirst = sortByFloats(identityOrder(degrees.length), nodes.updatedAt, "descending");
  const byDegree = sortByNumbers(latestFirst, degrees, "descending");
  const unranked = indexTitles(nodes.titles, aliases);
  const byTitle = titleOrder(unranked.titles, unranked.sortedTitles, degrees.length);
  const { createdAt, updatedAt } = nodes;
  return inSharedMemory({
    ids,
    nodes,
    labels,
    out: outgoing,
    in: incoming,
    importance,
    ranks: inverse(sortByNumbers(latestFirst, Uint32Array.from(importance), "descending")),
    traits: traitsOf({ ...nodes, contentStates, broken, marks, labels, outgoing, incoming }),
    tree: treeOf(nodes.parents, byTitle),
    orders: { ...numericOrders({ createdAt, updatedAt, degrees, importance }), title: byTitle },
    titles: rankTitles(unranked, byDegree, aliases),
  });
}
