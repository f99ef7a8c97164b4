import { type Direction, type EdgeType, edgeTypes as everyEdgeType } from "@clew/contract";
import { type Adjacency, edgesBetween, rowLength } from "../adjacency.ts";
import { at } from "../column.ts";
import { type EdgeLabels, type EdgeTypeSet, edgeTypeSet, hasLabelType } from "../edge-labels.ts";
import type { GraphColumns } from "../graph.ts";
import { narrowAt } from "../narrow-column.ts";
import type { WalkBudget } from "./walk-budget.ts";

/** Which edges a walk follows, and in which senses. */
export interface EdgeFilter {
  /** Where a step's edges are: those that leave a node, those that reach it, or both in this order. */
  readonly adjacencies: readonly Adjacency[];
  readonly types: EdgeTypeSet;
  readonly labels: EdgeLabels;
}

/** `out` follows edges from where they begin to where they end, `in` against that. All types, unless some are named. */
export function edgeFilterOf(
  columns: GraphColumns,
  direction: Direction,
  edgeTypes: readonly EdgeType[] = everyEdgeType,
): EdgeFilter {
  const { in: arriving, out: leaving, labels } = columns;
  const adjacencies = { in: [arriving], out: [leaving], both: [leaving, arriving] }[direction];
  return { adjacencies, types: edgeTypeSet(edgeTypes), labels };
}

/** The same ways walked from the end back to the beginning. */
export function reversed(filter: EdgeFilter, columns: GraphColumns): EdgeFilter {
  const opposite = ({ sense }: Adjacency) => (sense === "out" ? columns.in : columns.out);
  return { ...filter, adjacencies: filter.adjacencies.map(opposite) };
}

/** Whether the walk follows the edge at a position of an adjacency. */
export function follows({ types, labels }: EdgeFilter, adjacency: Adjacency, position: number): boolean {
  return hasLabelType(types, labels, narrowAt(adjacency.labels, position));
}

/** Whether it follows edges of every type. */
export function followsAll({ types }: EdgeFilter): boolean {
  return types === edgeTypeSet(everyEdgeType);
}

/** To look an edge up with `edgeTo` costs about as much as to go by this many. */
export const costOfLookup = 16;

/** The first edge by which a step leads from one node to another, null where none does. */
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

/** How many edges a step from a node has to look at. */
export function edgesAhead({ adjacencies }: EdgeFilter, node: number): number {
  let edges = 0;
  for (const adjacency of adjacencies) edges += rowLength(adjacency, node);
  return edges;
}

/**
 * Gives `take` the node at the end of every step from a node: along the edges that leave it, then along those that
 * reach it, each in the order of ids. Ends where `take` returns false or time is up, and is then false itself.
 */
export function eachStep(
  filter: EdgeFilter,
  node: number,
  budget: WalkBudget,
  take: (next: number) => boolean,
): boolean {
  for (const adjacency of filter.adjacencies) {
    const end = at(adjacency.offsets, node + 1);
    for (let position = at(adjacency.offsets, node); position < end; position += 1) {
      if (!budget.step()) return false;
      if (follows(filter, adjacency, position) && !take(at(adjacency.nodes, position))) return false;
    }
  }
  return true;
}
