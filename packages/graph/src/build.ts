import { type Adjacency, rowLength } from "./adjacency.ts";
import { identityOrder, inSharedMemory, inverse, isSameColumn } from "./columns.ts";
import type { GraphColumns } from "./graph.ts";
import type { GraphRows } from "./graph-rows.ts";
import { importanceOf } from "./importance.ts";
import { withKeptEdges } from "./kept-edges.ts";
import { packNodes } from "./node-columns.ts";
import type { NodeIds } from "./node-ids.ts";
import { numericOrders, titleOrder } from "./orders.ts";
import { sortByFloats, sortByNumbers } from "./radix-sort.ts";
import { resolveEdges, transposed } from "./resolve-edges.ts";
import { collectAliases, indexTitles, rankTitles } from "./title-index.ts";
import { traitsOf } from "./traits.ts";
import { treeOf } from "./tree.ts";

/**
 * Builds the columns of a graph, in memory that threads can share. `earlier` is the graph whose references `rows` leaves out if it has
 * `sources`.
 *
 * - Each node has a `child` edge from its parent. A parent that is not among the nodes counts as none.
 * - References from or to a node that is not among the nodes are left out, and so are references of a node to itself.
 * - References with the same ends, type and name become one edge, their counts summed.
 *
 * Throws a RangeError if a node comes twice or out of the order of ids, or the earlier graph has other nodes.
 */
export function buildColumns(rows: GraphRows, earlier?: GraphColumns): GraphColumns {
  const { ids, nodes, contentStates, marks, lookUp } = packNodes(rows);
  const aliases = collectAliases(rows.aliases, lookUp);
  const given = resolveEdges(rows.references, nodes.parents, lookUp);
  const { edges, labels, broken } = rows.sources
    ? withKeptEdges(given, rows.sources, lookUp, earlierOf(ids, earlier))
    : given;
  const outgoing: Adjacency = { direction: "out", ...edges };
  const incoming: Adjacency = { direction: "in", ...transposed(edges) };
  const importance = importanceOf(outgoing, incoming, labels);
  const degrees = nodes.parents.map((_, node) => rowLength(incoming, node) + rowLength(outgoing, node));
  const latestFirst = sortByFloats(identityOrder(degrees.length), nodes.updatedAt, "descending");
  const byDegree = sortByNumbers(latestFirst, degrees, "descending");
  const unranked = indexTitles(nodes.titles, aliases, earlier);
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

/** The earlier graph, which must have these nodes: its edges are between indexes. */
function earlierOf(ids: NodeIds, earlier: GraphColumns | undefined): GraphColumns {
  if (earlier === undefined || !isSameColumn(ids, earlier.ids))
    throw new RangeError("the earlier graph has other nodes");
  return earlier;
}
