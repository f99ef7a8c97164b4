import type { Direction, EdgeType, NodeType } from "@clew/contract";
import type { Graph } from "../graph.ts";
import type { IndexedEdge } from "../indexed-edge.ts";
import { nodeTypeAt } from "../node-columns.ts";
import type { NodeId } from "../node-id.ts";
import { breadthFirst } from "./breadth-first.ts";
import { edgeFilterOf, reversed } from "./edge-filter.ts";
import { nearerEdges, oneHopEdges } from "./nearer-edges.ts";
import { eachOneHop } from "./one-hop.ts";
import { WalkBudget, type WalkLimits } from "./walk-budget.ts";

export interface NeighborsOptions {
  readonly direction: Direction;
  /** The types of edges that the walk follows: all where absent. */
  readonly edgeTypes?: readonly EdgeType[] | undefined;
  /** The types of nodes that are listed: all where absent. The walk passes through the others all the same. */
  readonly nodeTypes?: readonly NodeType[] | undefined;
  /** Steps from the node, at least 1. */
  readonly depth: number;
  /** Neighbours to pass over, and neighbours to list after those. */
  readonly offset: number;
  readonly limit: number;
  readonly limits: WalkLimits;
}

interface Neighbor {
  /** The index of a node. */
  readonly node: number;
  /** Steps from the node that was asked about. */
  readonly depth: number;
  /** Those that lead here from nodes one step nearer, in either sense where the direction is `both`. */
  readonly edges: readonly IndexedEdge[];
}

export interface Neighbors {
  readonly items: readonly Neighbor[];
  /** There are further neighbours past this page. */
  readonly more: boolean;
  /** The budget cut the walk, or `maximumEdges` the edges of one item: something is missing that no further page has. */
  readonly truncated: boolean;
  /** Nodes that the walk came by for this page, its beginning included. */
  readonly visited: number;
}

/** Edges listed on one page. An item with more than are left begins the next page. */
export const maximumEdges = 10_000;

/**
 * The nodes around a node (GRAPH-7), nearest first. At one depth they come in the order of a breadth-first walk that
 * takes from each node first its edges out, then those in, each in the order of ids. A node is never its own neighbour.
 * A page costs a walk up to its end, however much lies behind it.
 */
export function neighbors(graph: Graph, id: NodeId, options: NeighborsOptions): Neighbors {
  const { offset, limit, depth, nodeTypes } = options;
  const start = graph.indexOf(id);
  const budget = new WalkBudget(options.limits);
  const visited = graph.reach.forward;
  const filter = edgeFilterOf(graph.columns, options.direction, options.edgeTypes);
  const walked = { start, filter, back: reversed(filter, graph.columns), visited, budget };

  const items: Neighbor[] = [];
  let passed = 0;
  let more = false;
  let room = maximumEdges;
  let cut = false;
  const list = (node: number, level: number, edgesOf: typeof nearerEdges) => {
    if (nodeTypes && !nodeTypes.includes(nodeTypeAt(graph.columns.nodes, node))) return true;
    passed += 1;
    if (passed <= offset) return true;
    more = items.length === limit;
    if (more) return false;
    const { edges, complete } = edgesOf(walked, node, room);
    more = !complete && !budget.exhausted && items.length > 0;
    if (more) return false;
    if (edges.length > 0) items.push({ node, depth: level, edges });
    room -= edges.length;
    cut ||= !complete;
    return true;
  };
  if (depth === 1) eachOneHop(walked, (node) => list(node, 1, oneHopEdges));
  else
    breadthFirst({ filter, start, depth, visited, budget }, (node) =>
      list(node, visited.levelOf(node), nearerEdges),
    );
  return { items, more, truncated: cut || budget.exhausted, visited: budget.visited };
}
