import type { EdgeType } from "@clew/contract/vocabulary";
import { edgeAt, edgesBetween, type IndexedEdge, rowLength } from "../adjacency.ts";
import { at } from "../columns.ts";
import type { Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { edgeFilterOf, follows, lookupCost } from "./edge-filter.ts";
import { maxEdges } from "./neighbors.ts";
import { WalkBudget, type WalkLimits } from "./walk-budget.ts";

interface EdgesAmong {
  readonly edges: readonly IndexedEdge[];
  /** Time was up, or there are more than `maxEdges`. */
  readonly truncated: boolean;
}

/**
 * The edges whose both ends are among some nodes, by the id of their source, then of their target. The row of a hub is
 * not read: the other nodes are looked up in it.
 */
export function edgesAmong(
  graph: Graph,
  ids: readonly NodeId[],
  { edgeTypes, limits }: { edgeTypes?: readonly EdgeType[] | undefined; limits: WalkLimits },
): EdgesAmong {
  const budget = new WalkBudget(limits);
  const filter = edgeFilterOf(graph.columns, "out", edgeTypes);
  const rows = graph.columns.out;
  const members = [...new Set(ids.map((id) => graph.indexOf(id)))].sort((a, b) => a - b);
  const isMember = new Set(members);
  const edges: IndexedEdge[] = [];
  let isCut = false;
  /** Collects the edges to members in a part of a row; false once a limit is reached. */
  const collect = (node: number, first: number, end: number): boolean => {
    for (let position = first; position < end; position += 1) {
      if (!budget.step()) return false;
      if (!isMember.has(at(rows.nodes, position)) || !follows(filter, rows, position)) continue;
      isCut = edges.length === maxEdges;
      if (isCut) return false;
      edges.push(edgeAt(rows, node, position));
    }
    return true;
  };
  const collectFrom = (node: number): boolean => {
    const start = at(rows.offsets, node);
    if (rowLength(rows, node) <= members.length * lookupCost)
      return collect(node, start, start + rowLength(rows, node));
    return members.every(
      (other) => budget.step(lookupCost) && collect(node, ...edgesBetween(rows, node, other)),
    );
  };
  members.every(collectFrom);
  return { edges, truncated: isCut || budget.exhausted };
}
