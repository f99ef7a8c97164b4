import { type Direction, type EdgeType, edgeTypes as everyEdgeType } from "@clew/contract/vocabulary";
import { type Adjacency, edgesBetween, rowLength } from "../adjacency.ts";
import { at, narrowAt } from "../columns.ts";
import { type EdgeLabels, type EdgeTypeSet, edgeTypeSet, hasLabelType } from "../edge.ts";
import type { GraphColumns } from "../graph.ts";
import type { WalkBudget } from "./walk-budget.ts";

/** The edges that a walk follows, and their directions. */
export interface EdgeFilter {
  /** The adjacencies that a step reads: outgoing, incoming, or both in this order. */
  readonly adjacencies: readonly Adjacency[];
  readonly types: EdgeTypeSet;
  readonly labels: EdgeLabels;
  /** The largest number of edges of a row that a step reads; all by default. */
  readonly maxEdges?: number;
}

/** `out` follows edges from source to target, `in` from target to source. All types unless some are named. */
export function edgeFilterOf(
  columns: GraphColumns,
  direction: Direction,
  edgeTypes: readonly EdgeType[] = everyEdgeType,
): EdgeFilter {
  const { in: incoming, out: outgoing, labels } = columns;
  const adjacencies = { in: [incoming], out: [outgoing], both: [outgoing, incoming] }[direction];
  return { adjacencies, types: edgeTypeSet(edgeTypes), labels };
}

/** The filter of the same walk backwards. */
export function reversed(filter: EdgeFilter, columns: GraphColumns): EdgeFilter {
  const opposite = ({ direction }: Adjacency) => (direction === "out" ? columns.in : columns.out);
  return { ...filter, adjacencies: filter.adjacencies.map(opposite) };
}

/** Whether the filter accepts the edge at a position. */
export function follows({ types, labels }: EdgeFilter, adjacency: Adjacency, position: number): boolean {
  return hasLabelType(types, labels, narrowAt(adjacency.labels, position));
}

export function followsAllTypes({ types }: EdgeFilter): boolean {
  return types === edgeTypeSet(everyEdgeType);
}

/** `edgeTo` costs about as much as looking at this many edges of a row. */
export const lookupCost = 16;

/** The first edge by which a step leads from a node to `next`, null if none does. */
export function edgeTo(
  filter: EdgeFilter,
  node: number,
  next: number,
): { adjacency: Adjacency; position: number } | null {
  for (const adjacency of filter.adjacencies) {
    const [first, end] = edgesBetween(adjacency, node, next);
    for (let position = first; position < end; position += 1) {
      if (follows(filter, adjacency, position)) return { adjacency, position };
    }
  }
  return null;
}

/** The number of edges that a step from a node reads. */
export function edgesAhead({ adjacencies }: EdgeFilter, node: number): number {
  let edges = 0;
  for (const adjacency of adjacencies) edges += rowLength(adjacency, node);
  return edges;
}

/**
 * Calls `take` with the node at the end of each step: along outgoing edges, then along incoming ones, each in the order
 * of ids. Stops and returns false if `take` returns false or time is up.
 */
export function eachStep(
  filter: EdgeFilter,
  node: number,
  budget: WalkBudget,
  take: (next: number) => boolean,
): boolean {
  const { maxEdges = Number.POSITIVE_INFINITY } = filter;
  for (const adjacency of filter.adjacencies) {
    const start = at(adjacency.offsets, node);
    const end = Math.min(at(adjacency.offsets, node + 1), start + maxEdges);
    for (let position = start; position < end; position += 1) {
      if (!budget.step()) return false;
      if (follows(filter, adjacency, position) && !take(at(adjacency.nodes, position))) return false;
    }
  }
  return true;
}
