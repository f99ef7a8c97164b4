import type { Graph } from "../graph.ts";
import type { Meter } from "./budget.ts";
import { shortestPath } from "./shortest-path.ts";
import type { Ways } from "./ways.ts";

type NodePath = readonly number[];

/** A path that may come next. */
interface Candidate {
  readonly nodes: NodePath;
  /** Where it leaves the path that it was derived from. */
  readonly branch: number;
}

/**
 * Lists the simple paths to a node, given the first of them: by length, then in the order of their nodes' ids.
 * Ends at `maxPaths`, or where the budget does: each path listed by then is in its right place.
 *
 * Yen's algorithm (Management Science 17, 1971) with Lawler's saving (Management Science 18, 1972): every other path
 * leaves a listed one somewhere, by a step that no listed path takes from there, and is derived from it but once.
 */
export function shortestPaths(
  graph: Graph,
  first: NodePath,
  { ways, maxDepth, maxPaths }: { ways: Ways; maxDepth: number; maxPaths: number },
  meter: Meter,
): NodePath[] {
  const listed: NodePath[] = [];
  const candidates: Candidate[] = [{ nodes: first, branch: 0 }];
  while (!meter.exhausted) {
    const next = candidates.sort((a, b) => comparePaths(a.nodes, b.nodes)).shift();
    if (next === undefined) break;
    listed.push(next.nodes);
    if (listed.length === maxPaths) break;
    for (let branch = next.branch; branch < next.nodes.length - 1; branch += 1) {
      const nodes = detour(graph, next.nodes, branch, { ways, maxDepth, listed }, meter);
      if (nodes) candidates.push({ nodes, branch });
    }
  }
  return listed;
}

/** The first path that goes along with this one up to a branch, and on from there as no listed path does. */
function detour(
  graph: Graph,
  path: NodePath,
  branch: number,
  { ways, maxDepth, listed }: { ways: Ways; maxDepth: number; listed: readonly NodePath[] },
  meter: Meter,
): NodePath | null {
  const [from, to] = [path[branch], path.at(-1)];
  if (from === undefined || to === undefined) return null;
  const before = path.slice(0, branch);
  const alike = listed.filter((other) => [...before, from].every((node, index) => other[index] === node));
  const outcome = shortestPath(
    graph,
    {
      ways,
      from,
      to,
      closed: new Set(before),
      notSecond: new Set(alike.flatMap((other) => other[branch + 1] ?? [])),
      limit: maxDepth - branch,
    },
    meter,
  );
  return outcome.kind === "path" ? [...before, ...outcome.nodes] : null;
}

/** Shorter paths first, then by the first node in which they differ. */
function comparePaths(a: NodePath, b: NodePath): number {
  if (a.length !== b.length) return a.length - b.length;
  const fork = a.findIndex((node, index) => node !== b[index]);
  return fork < 0 ? 0 : (a[fork] ?? 0) - (b[fork] ?? 0);
}
