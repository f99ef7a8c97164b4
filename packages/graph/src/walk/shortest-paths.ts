import type { Graph } from "../graph.ts";
import type { EdgeFilter } from "./edge-filter.ts";
import { meet } from "./meet.ts";
import { trace } from "./trace.ts";
import type { WalkBudget } from "./walk-budget.ts";

type NodePath = readonly number[];

/** A path that may come next. */
interface Candidate {
  readonly nodes: NodePath;
  /** Where it leaves the path that it was derived from. */
  readonly branch: number;
}

/**
 * Lists the simple paths to a node, given the shortest of them: by length, then in the order of their nodes' ids.
 * Ends at `maxPaths`, or where the budget does: each path listed by then is in its right place.
 *
 * Yen's algorithm (Management Science 17, 1971) with Lawler's saving (Management Science 18, 1972): every other path
 * leaves a listed one somewhere, by a step that no listed path takes from there, and is derived from it but once.
 */
export function shortestPaths(
  graph: Graph,
  shortest: readonly NodePath[],
  { filter, maxDepth, maxPaths }: { filter: EdgeFilter; maxDepth: number; maxPaths: number },
  budget: WalkBudget,
): NodePath[] {
  const listed = [...shortest];
  const candidates: Candidate[] = [];
  const derive = (path: NodePath, first: number) => {
    for (let branch = first; branch < path.length - 1; branch += 1) {
      if (budget.exhausted) return;
      const nodes = detour(graph, path, branch, { filter, maxDepth, listed }, budget);
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

/** How many nodes a path has in common with the one before it: it leaves that after the last of them. */
function forkOf(path: NodePath, before: NodePath = []): number {
  return Math.max(
    0,
    path.findIndex((node, index) => node !== before[index]),
  );
}

/** The first path that goes along with this one up to a branch, and on from there as no listed path does. */
function detour(
  graph: Graph,
  path: NodePath,
  branch: number,
  { filter, maxDepth, listed }: { filter: EdgeFilter; maxDepth: number; listed: readonly NodePath[] },
  budget: WalkBudget,
): NodePath | null {
  const [from, to] = [path[branch], path.at(-1)];
  if (from === undefined || to === undefined) return null;
  const before = path.slice(0, branch);
  const alike = listed.filter((other) => [...before, from].every((node, index) => other[index] === node));
  const route = {
    filter,
    from,
    to,
    closed: new Set(before),
    notSecond: new Set(alike.flatMap((other) => other[branch + 1] ?? [])),
    limit: maxDepth - branch,
  };
  const outcome = meet(graph, route, budget);
  const [nodes] = outcome.kind === "met" ? trace(route, outcome, 1, budget) : [];
  return nodes === undefined ? null : [...before, ...nodes];
}

/** Shorter paths first, then by the first node in which they differ. */
function comparePaths(a: NodePath, b: NodePath): number {
  if (a.length !== b.length) return a.length - b.length;
  const fork = a.findIndex((node, index) => node !== b[index]);
  return fork < 0 ? 0 : (a[fork] ?? 0) - (b[fork] ?? 0);
}
