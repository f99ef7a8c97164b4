import { type Adjacency, edgesBetween } from "../adjacency.ts";
import { at } from "../column.ts";
import { edgeAt, type IndexedEdge } from "../indexed-edge.ts";
import { type EdgeFilter, follows } from "./edge-filter.ts";
import type { VisitedSet } from "./visited-set.ts";
import type { WalkBudget } from "./walk-budget.ts";

/** A walk that has come by some nodes. */
interface Walked {
  readonly start: number;
  readonly filter: EdgeFilter;
  /** The same ways, backwards. */
  readonly back: EdgeFilter;
  readonly visited: VisitedSet;
  readonly budget: WalkBudget;
}

/**
 * The edges over which the walk reaches a node from nodes one step nearer, but no more than `room`.
 * `complete` is false where there are more, or where time was up before all were seen.
 */
export function nearerEdges(
  walked: Walked,
  node: number,
  room: number,
): { edges: IndexedEdge[]; complete: boolean } {
  const { back, visited } = walked;
  const nearer = visited.levelOf(node) - 1;
  if (nearer === 0) return oneHopEdges(walked, node, room);
  const edges: IndexedEdge[] = [];
  const complete = back.adjacencies.every((adjacency) => {
    const [first, end] = [at(adjacency.offsets, node), at(adjacency.offsets, node + 1)];
    return collect(edges, { adjacency, node, first, end, nearer }, room, walked);
  });
  return { edges, complete };
}

/**
 * The same for a node beside the one where the walk began, whose own row has them together: no hub's row is gone through,
 * nor one row after another.
 */
export function oneHopEdges(
  walked: Walked,
  node: number,
  room: number,
): { edges: IndexedEdge[]; complete: boolean } {
  const { start, filter } = walked;
  const edges: IndexedEdge[] = [];
  const complete = filter.adjacencies.every((adjacency) => {
    const [first, end] = edgesBetween(adjacency, start, node);
    return collect(edges, { adjacency, node: start, first, end, nearer: null }, room, walked);
  });
  return { edges, complete };
}

/** A part of a node's row: of its edges those whose other end is at a level, or all. */
interface Part {
  readonly adjacency: Adjacency;
  readonly node: number;
  readonly first: number;
  readonly end: number;
  readonly nearer: number | null;
}

/** Collects the edges that are followed; false where there are more than `room`, or time is up. */
function collect(
  edges: IndexedEdge[],
  { adjacency, node, first, end, nearer }: Part,
  room: number,
  { filter, visited, budget }: Walked,
): boolean {
  for (let position = first; position < end; position += 1) {
    if (!budget.step()) return false;
    if (nearer !== null && visited.levelOf(at(adjacency.nodes, position)) !== nearer) continue;
    if (!follows(filter, adjacency, position)) continue;
    if (edges.length >= room) return false;
    edges.push(edgeAt(adjacency, node, position));
  }
  return true;
}
