import type { Direction, EdgeType, PathStatus } from "@clew/contract";
import type { Graph } from "../graph.ts";
import { edgeAt, type IndexedEdge } from "../indexed-edge.ts";
import type { NodeId } from "../node-id.ts";
import { type EdgeFilter, edgeFilterOf, edgeTo } from "./edge-filter.ts";
import { meet, type Outcome } from "./meet.ts";
import { shortestPaths } from "./shortest-paths.ts";
import { trace } from "./trace.ts";
import { WalkBudget, type WalkLimits } from "./walk-budget.ts";

export interface PathsOptions {
  readonly direction: Direction;
  /** The types of edges that a path may take: all where absent. */
  readonly edgeTypes?: readonly EdgeType[] | undefined;
  /** Steps that a path may have, at least 1. */
  readonly maxDepth: number;
  readonly maxPaths: number;
  /** For the search of all paths together. */
  readonly limits: WalkLimits;
}

/** A way from node to node that comes by none twice. */
interface Path {
  /** Indexes of nodes. */
  readonly nodes: readonly number[];
  /** One for each step, as many as the path is long. */
  readonly edges: readonly IndexedEdge[];
}

export interface Paths {
  readonly status: PathStatus;
  /** False where the budget ended the search before `maxPaths` were found. */
  readonly complete: boolean;
  readonly paths: readonly Path[];
  /** Nodes that the search came by, in each of its walks anew. */
  readonly visited: number;
}

/**
 * The simple paths between two nodes (GRAPH-8), shortest first, those of one length in the order of their nodes' ids.
 * A path is a sequence of nodes: parallel edges make no second one of it. Of those, a step names the first that goes
 * the path's way, else the first against it, in the order of types and names.
 *
 * - `none`: there is no path of any length.
 * - `depth_reached`: there is none of up to `maxDepth` steps. There is a longer one, or the budget ended before that
 *   was certain.
 * - `budget_reached`: the budget ended before all paths of up to `maxDepth` steps were ruled out.
 */
export function paths(graph: Graph, fromId: NodeId, toId: NodeId, options: PathsOptions): Paths {
  const [from, to] = [graph.indexOf(fromId), graph.indexOf(toId)];
  const { maxDepth, maxPaths } = options;
  const budget = new WalkBudget(options.limits);
  const filter = edgeFilterOf(graph.columns, options.direction, options.edgeTypes);
  if (from === to)
    return { status: "found", complete: true, paths: [{ nodes: [from], edges: [] }], visited: 1 };
  const route = { filter, from, to, closed: nothing, notSecond: nothing };
  // It goes on past `maxDepth`, so that `none` can be told from `depth_reached`.
  const first = meet(graph, { ...route, limit: Number.POSITIVE_INFINITY }, budget);
  const shortest =
    first.kind === "met" && first.length <= maxDepth ? trace(route, first, maxPaths, budget) : [];
  const listed = shortestPaths(graph, shortest, { filter, maxDepth, maxPaths }, budget);
  return {
    status: listed.length > 0 ? "found" : statusWithout(first, maxDepth),
    complete: listed.length === maxPaths || !budget.exhausted,
    paths: listed.map((nodes) => pathAlong(filter, nodes)),
    visited: budget.visited,
  };
}

const nothing: ReadonlySet<number> = new Set();

/** What a search says that lists no path. */
function statusWithout(first: Outcome, maxDepth: number): PathStatus {
  if (first.kind === "dead-end") return "none";
  // Time may be up between the meeting and the first path.
  const ruledOut = first.kind === "met" ? first.length - 1 : first.searched;
  return ruledOut < maxDepth ? "budget_reached" : "depth_reached";
}

function pathAlong(filter: EdgeFilter, nodes: readonly number[]): Path {
  const edges: IndexedEdge[] = [];
  nodes.forEach((node, index) => {
    const next = nodes[index + 1];
    const edge = next === undefined ? null : edgeTo(filter, node, next);
    if (edge) edges.push(edgeAt(edge.adjacency, node, edge.position));
  });
  return { nodes, edges };
}
