import type { Direction, EdgeType, NodeType } from "@clew/contract/vocabulary";
import { type Adjacency, edgeAt, edgesBetween, type IndexedEdge } from "../adjacency.ts";
import { at } from "../columns.ts";
import type { Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { nodeTypeAt } from "../node-columns.ts";
import type { VisitedSet } from "../visited-set.ts";
import { type EdgeFilter, eachStep, edgeFilterOf, edgeTo, follows, reversed } from "./edge-filter.ts";
import { WalkBudget, type WalkLimits } from "./walk-budget.ts";

export interface NeighborsOptions {
  readonly direction: Direction;
  /** The types of edges that the walk follows: all if absent. */
  readonly edgeTypes?: readonly EdgeType[] | undefined;
  /** The types of nodes that are listed: all if absent. The walk still passes through the others. */
  readonly nodeTypes?: readonly NodeType[] | undefined;
  /** Steps from the node, at least 1. */
  readonly depth: number;
  /** Neighbours to skip, and neighbours to list after those. */
  readonly offset: number;
  readonly limit: number;
  readonly limits: WalkLimits;
}

interface Neighbor {
  /** The index of a node. */
  readonly node: number;
  /** Steps from the start. */
  readonly depth: number;
  /** The edges that lead here from nodes one step nearer, in either direction if the walk goes both ways. */
  readonly edges: readonly IndexedEdge[];
}

export interface Neighbors {
  readonly items: readonly Neighbor[];
  /** There are further neighbours after this page. */
  readonly more: boolean;
  /** The budget cut the walk, or `maxEdges` the edges of one item: something is missing that no further page has. */
  readonly truncated: boolean;
  /** Nodes visited for this page, including the start. */
  readonly visited: number;
}

/** Edges listed on one page. An item with more edges than are left starts the next page. */
export const maxEdges = 10_000;

/**
 * The nodes around a node (GRAPH-7), nearest first. Nodes at one depth come in the order of a breadth-first walk that
 * takes each node's outgoing edges first, then the incoming ones, each in the order of ids. A node is never its own
 * neighbour. A page costs a walk up to its end, however much lies beyond.
 */
export function neighbors(graph: Graph, id: NodeId, options: NeighborsOptions): Neighbors {
  const { offset, limit, depth, nodeTypes } = options;
  const budget = new WalkBudget(options.limits);
  const filter = edgeFilterOf(graph.columns, options.direction, options.edgeTypes);
  const walk: Walk = {
    filter,
    backwards: reversed(filter, graph.columns),
    start: graph.indexOf(id),
    visited: graph.reach.forward,
    budget,
  };

  const items: Neighbor[] = [];
  let passed = 0;
  let more = false;
  let room = maxEdges;
  let isCut = false;
  /** Lists a node if it is on the page; false once the page is full. */
  const list = (node: number, level: number): boolean => {
    if (nodeTypes && !nodeTypes.includes(nodeTypeAt(graph.columns.nodes, node))) return true;
    passed += 1;
    if (passed <= offset) return true;
    more = items.length === limit;
    if (more) return false;
    const { edges, complete } = edgesInto(walk, node, level, room);
    more = !complete && !budget.exhausted && items.length > 0;
    if (more) return false;
    if (edges.length > 0) items.push({ node, depth: level, edges });
    room -= edges.length;
    isCut ||= !complete;
    return true;
  };
  if (depth === 1) eachAdjacent(walk, list);
  else eachReachable(walk, depth, list);
  return { items, more, truncated: isCut || budget.exhausted, visited: budget.visited };
}

interface Walk {
  readonly filter: EdgeFilter;
  /** The filter of the same walk backwards. */
  readonly backwards: EdgeFilter;
  readonly start: number;
  readonly visited: VisitedSet;
  readonly budget: WalkBudget;
}

/**
 * Walks level by level and calls `found` with every node when it is first reached. Stops at the depth, at the budget, or
 * when `found` returns false.
 */
function eachReachable(walk: Walk, depth: number, found: (node: number, level: number) => boolean): void {
  const { filter, start, visited, budget } = walk;
  visited.begin();
  if (!budget.visit()) return;
  visited.add(start);
  for (let level = 0; level < depth; level += 1) {
    const frontier = visited.nodesAt(level);
    if (frontier.length === 0) return;
    visited.beginLevel();
    const take = (node: number): boolean => {
      if (visited.isReachedOrClosed(node)) return true;
      if (!budget.visit()) return false;
      visited.add(node);
      return found(node, level + 1);
    };
    for (const node of frontier) if (!eachStep(filter, node, budget, take)) return;
  }
}

/**
 * The same for one step, without marking nodes: it reads only the start's own rows. Marks are far apart in memory, and
 * writing them is most of what one step costs.
 */
function eachAdjacent(
  { filter, start, budget }: Walk,
  found: (node: number, level: number) => boolean,
): void {
  if (!budget.visit()) return;
  for (const [index, adjacency] of filter.adjacencies.entries()) {
    const { offsets, nodes } = adjacency;
    const earlier = { ...filter, adjacencies: filter.adjacencies.slice(0, index) };
    // Edges to the same node follow one another in a row.
    let last = start;
    const end = at(offsets, start + 1);
    for (let position = at(offsets, start); position < end; position += 1) {
      if (!budget.step()) return;
      const node = at(nodes, position);
      if (node === last || node === start || !follows(filter, adjacency, position)) continue;
      last = node;
      if (edgeTo(earlier, start, node) !== null) continue;
      if (!budget.visit() || !found(node, 1)) return;
    }
  }
}

/**
 * The edges by which the walk reaches a node from nodes one step nearer, at most `room`. `complete` is false if there are
 * more, or if time was up before all were seen.
 */
function edgesInto(
  { filter, backwards, start, visited, budget }: Walk,
  node: number,
  level: number,
  room: number,
): { edges: IndexedEdge[]; complete: boolean } {
  const edges: IndexedEdge[] = [];
  const collect = (adjacency: Adjacency, row: number, first: number, end: number): boolean => {
    for (let position = first; position < end; position += 1) {
      if (!budget.step()) return false;
      if (level > 1 && visited.levelOf(at(adjacency.nodes, position)) !== level - 1) continue;
      if (!follows(filter, adjacency, position)) continue;
      if (edges.length >= room) return false;
      edges.push(edgeAt(adjacency, row, position));
    }
    return true;
  };
  // The start's own row has the edges to an adjacent node side by side. The node may be a hub with a long row.
  const complete =
    level === 1
      ? filter.adjacencies.every((adjacency) => {
          const [first, end] = edgesBetween(adjacency, start, node);
          return collect(adjacency, start, first, end);
        })
      : backwards.adjacencies.every((adjacency) => {
          const [first, end] = [at(adjacency.offsets, node), at(adjacency.offsets, node + 1)];
          return collect(adjacency, node, first, end);
        });
  return { edges, complete };
}
