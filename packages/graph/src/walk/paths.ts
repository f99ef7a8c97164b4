import { type Direction, type EdgeType, graphLimits, type PathStatus } from "@clew/contract/vocabulary";
import { edgeAt, type IndexedEdge } from "../adjacency.ts";
import { degreeAt, type Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { type EdgeFilter, edgeFilterOf, edgeTo } from "./edge-filter.ts";
import { meet, noNodes, type Outcome, type Route, type RouteSearch, trace } from "./shortest-paths.ts";
import { WalkBudget, type WalkLimits } from "./walk-budget.ts";

export interface PathsOptions {
  readonly direction: Direction;
  /** The types of edges that a path may take: all if absent. */
  readonly edgeTypes?: readonly EdgeType[] | undefined;
  /** Steps that a path may have, at least 1. */
  readonly maxDepth: number;
  readonly maxPaths: number;
  /** For the search of all paths together. */
  readonly limits: WalkLimits;
  /** The limits of a search for paths without hubs in between, which comes first; none if absent. */
  readonly avoidHubs?: WalkLimits | undefined;
}

/** A node with more edges, of any type and direction, is a hub for a search of paths. */
const maxEdgesInBetween = graphLimits.paths.maxEdgesInBetween;

/** A simple path: no node comes twice. */
interface Path {
  /** Indexes of nodes. */
  readonly nodes: readonly number[];
  /** One for each step. */
  readonly edges: readonly IndexedEdge[];
}

export interface Paths {
  readonly status: PathStatus;
  /** False if the budget ended the search before `maxPaths` were found. */
  readonly complete: boolean;
  /** Whether only paths without hubs in between were searched for. */
  readonly avoidedHubs: boolean;
  readonly paths: readonly Path[];
  /** Nodes visited, counted anew in each walk of the search. */
  readonly visited: number;
}

/**
 * The simple paths between two nodes (GRAPH-8), shortest first, those of one length in the order of their nodes' ids.
 * A path is a sequence of nodes: parallel edges do not make a second path. Of parallel edges, a step names the first that
 * points its way, or else the first that points against it, in the order of types and names.
 *
 * - `none`: there is no path of any length.
 * - `depth_reached`: there is none of up to `maxDepth` steps. There is a longer one, or the budget ended before that
 *   was certain.
 * - `budget_reached`: the budget ended before all paths of up to `maxDepth` steps were ruled out.
 *
 * With `avoidHubs` the paths are those without hubs in between. Where there is none of up to `maxDepth` steps, they are
 * those of the whole graph.
 */
export function paths(graph: Graph, fromId: NodeId, toId: NodeId, options: PathsOptions): Paths {
  const ends = { from: graph.indexOf(fromId), to: graph.indexOf(toId) };
  const { avoidHubs } = options;
  if (avoidHubs === undefined) return pathsAmong(graph, ends, options);
  const around = pathsAmong(graph, ends, { ...options, limits: avoidHubs }, withoutHubs(graph, ends));
  if (around.paths.length > 0) return { ...around, avoidedHubs: true };
  const through = pathsAmong(graph, ends, options);
  // A search that a limit ended has not ruled out a path without hubs.
  const isComplete = through.complete && around.status !== "budget_reached";
  return { ...through, complete: isComplete, visited: around.visited + through.visited };
}

type Ends = Pick<Route, "from" | "to">;

/** Tells which nodes a path without hubs in between may visit. */
function withoutHubs({ columns }: Graph, { from, to }: Ends): (node: number) => boolean {
  return (node) => degreeAt(columns, node) <= maxEdgesInBetween || node === from || node === to;
}

function pathsAmong(
  graph: Graph,
  { from, to }: Ends,
  options: PathsOptions,
  isPassable: RouteSearch["isPassable"] = null,
): Paths {
  const { maxDepth, maxPaths } = options;
  const budget = new WalkBudget(options.limits);
  const filter = edgeFilterOf(graph.columns, options.direction, options.edgeTypes);
  const search = { graph, filter, budget, maxDepth, maxPaths, isPassable };
  if (from === to)
    return {
      status: "found",
      complete: true,
      avoidedHubs: false,
      paths: [{ nodes: [from], edges: [] }],
      visited: 1,
    };
  // Without hubs the depth is the end. Otherwise it searches beyond, to tell `none` from `depth_reached`.
  const limit = isPassable === null ? Number.POSITIVE_INFINITY : maxDepth;
  const route = { from, to, closed: noNodes, notSecond: noNodes, limit };
  const first = meet(search, route);
  const shortest =
    first.kind === "met" && first.length <= maxDepth ? trace(search, route, first, maxPaths) : [];
  const listed = simplePaths(search, shortest);
  return {
    status: listed.length > 0 ? "found" : statusWithoutPaths(first, maxDepth),
    complete: listed.length === maxPaths || !budget.exhausted,
    avoidedHubs: false,
    paths: listed.map((nodes) => pathAlong(filter, nodes)),
    visited: budget.visited,
  };
}

function statusWithoutPaths(first: Outcome, maxDepth: number): PathStatus {
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

type NodePath = readonly number[];

type PathsSearch = RouteSearch & Pick<PathsOptions, "maxDepth" | "maxPaths">;

/**
 * Lists simple paths, given the shortest ones: by length, then in the order of their nodes' ids. Stops at `maxPaths` or
 * when the budget ends; the paths listed by then are in their right positions.
 *
 * Yen's algorithm (Management Science 17, 1971) with Lawler's improvement (Management Science 18, 1972): every further
 * path branches off a listed one by a step that no listed path takes there, and is derived only once.
 */
function simplePaths(search: PathsSearch, shortest: readonly NodePath[]): NodePath[] {
  const { maxPaths, budget } = search;
  const listed = [...shortest];
  const candidates: { readonly nodes: NodePath; readonly branch: number }[] = [];
  /** Adds the candidates that branch off a path at each position from `first` on. */
  const derive = (path: NodePath, first: number) => {
    for (let branch = first; branch < path.length - 1; branch += 1) {
      if (budget.exhausted) return;
      const nodes = detour(search, path, branch, listed);
      if (nodes) candidates.push({ nodes, branch });
    }
  };
  if (listed.length < maxPaths)
    for (const [index, path] of shortest.entries()) derive(path, forkOf(path, shortest[index - 1]));
  while (listed.length < maxPaths && !budget.exhausted) {
    const next = candidates.sort((a, b) => comparePaths(a.nodes, b.nodes)).shift();
    if (next === undefined) break;
    listed.push(next.nodes);
    if (listed.length < maxPaths) derive(next.nodes, next.branch);
  }
  return listed;
}

/** The first position at which a path differs from the one before it. */
function forkOf(path: NodePath, before: NodePath = []): number {
  return Math.max(
    0,
    path.findIndex((node, index) => node !== before[index]),
  );
}

/** The first path that follows this one up to a branch, and then takes a step that no listed path takes there. */
function detour(
  search: PathsSearch,
  path: NodePath,
  branch: number,
  listed: readonly NodePath[],
): NodePath | null {
  const [from, to] = [path[branch], path.at(-1)];
  if (from === undefined || to === undefined) return null;
  const before = path.slice(0, branch);
  const sharing = listed.filter((other) => [...before, from].every((node, index) => other[index] === node));
  const route = {
    from,
    to,
    closed: new Set(before),
    notSecond: new Set(sharing.flatMap((other) => other[branch + 1] ?? [])),
    limit: search.maxDepth - branch,
  };
  const outcome = meet(search, route);
  const [nodes] = outcome.kind === "met" ? trace(search, route, outcome, 1) : [];
  return nodes === undefined ? null : [...before, ...nodes];
}

/** Shorter paths first, then by the first node in which they differ. */
function comparePaths(a: NodePath, b: NodePath): number {
  if (a.length !== b.length) return a.length - b.length;
  const fork = a.findIndex((node, index) => node !== b[index]);
  return fork < 0 ? 0 : (a[fork] ?? 0) - (b[fork] ?? 0);
}
