import type { Adjacency } from "../adjacency.ts";
import { at } from "../column.ts";
import { costOfLookup, type EdgeFilter, edgesAhead, edgeTo, follows, followsAll } from "./edge-filter.ts";
import type { VisitedSet } from "./visited-set.ts";
import type { WalkBudget } from "./walk-budget.ts";

/** A breadth-first walk from one end of a route. */
export interface Frontier {
  readonly filter: EdgeFilter;
  readonly visited: VisitedSet;
  /** The steps that it has gone: the levels that it has reached whole. */
  steps: number;
  /** Edges to look at in the next step. */
  cost: number;
}

/** Begins a walk that keeps out of some nodes. */
export function beginAt(
  node: number,
  { filter, visited, closed }: { filter: EdgeFilter; visited: VisitedSet; closed: Iterable<number> },
  budget: WalkBudget,
): Frontier {
  visited.begin();
  budget.visit();
  visited.add(node);
  for (const other of closed) visited.close(other);
  return { filter, visited, steps: 0, cost: edgesAhead(filter, node) };
}

/** The nodes from which the next step leads on. */
export function frontierOf({ visited, steps }: Frontier): Uint32Array {
  return visited.nodesAt(steps);
}

/**
 * Walks one step on from one end, until that meets the walk from the other; true where it does. `barred` are nodes to
 * which a step from a node may not lead: none of them has been reached. Hubs come last: most walks meet without them.
 */
export function advance(
  side: Frontier,
  other: Frontier,
  barred: (node: number) => Iterable<number>,
  budget: WalkBudget,
): boolean {
  const { visited, filter } = side;
  const frontier = frontierOf(side);
  const hubs: number[] = [];
  const walkOn = (node: number): boolean => {
    for (const second of barred(node)) visited.close(second);
    const hasMet = isJoined(side, other, node, budget) || takeRows(side, other, node, budget);
    for (const second of barred(node)) visited.open(second);
    return hasMet;
  };
  visited.beginLevel();
  for (const node of frontier) {
    if (edgesAhead(filter, node) > edgesOfHub) hubs.push(node);
    else if (walkOn(node)) return true;
    if (budget.exhausted) return false;
  }
  for (const hub of hubs) {
    if (walkOn(hub)) return true;
    if (budget.exhausted) return false;
  }
  side.steps += 1;
  side.cost = costOf(filter, frontierOf(side));
  return false;
}

/** Edges that make a node a hub, to which a walk goes last. */
const edgesOfHub = 1000;

/** Whether one step leads from a hub to the other walk: looked up, where that is less than to go through its rows. */
function isJoined({ visited, filter }: Frontier, other: Frontier, node: number, budget: WalkBudget): boolean {
  const edges = edgesAhead(filter, node);
  const targets = frontierOf(other);
  if (edges <= edgesOfHub || targets.length * costOfLookup >= edges || !budget.step(targets.length))
    return false;
  return targets.some((target) => !visited.isBehind(target) && edgeTo(filter, node, target) !== null);
}

/** Edges looked at between two looks at the budget. */
const stretch = 1024;

/** Takes what a node's rows lead to; true where the walks meet. */
function takeRows(side: Frontier, other: Frontier, node: number, budget: WalkBudget): boolean {
  return side.filter.adjacencies.some((adjacency) => takeRow(side, other, { adjacency, node }, budget));
}

function takeRow(
  { visited, filter }: Frontier,
  other: Frontier,
  { adjacency, node }: { adjacency: Adjacency; node: number },
  budget: WalkBudget,
): boolean {
  const { offsets, nodes } = adjacency;
  const followed = followsAll(filter) ? null : (position: number) => follows(filter, adjacency, position);
  const endOfRow = at(offsets, node + 1);
  for (let first = at(offsets, node); first < endOfRow; first += stretch) {
    const end = Math.min(first + stretch, endOfRow);
    if (!budget.step(end - first)) return false;
    const before = visited.count;
    const position = visited.addRow({ nodes, first, end }, followed, other.visited, budget.room);
    budget.visit(visited.count - before);
    if (position === end) continue;
    if (other.visited.levelOf(at(nodes, position)) >= 0) return true;
    budget.visit();
    return false;
  }
  return false;
}

/** Nodes of a frontier whose edges are counted. */
const sample = 1024;

/** Edges ahead of a frontier; of a large one an estimate, which changes what a search costs and never what it finds. */
function costOf(filter: EdgeFilter, frontier: Uint32Array): number {
  const strideLength = Math.ceil(frontier.length / sample);
  let edges = 0;
  for (let index = 0; index < frontier.length; index += strideLength)
    edges += edgesAhead(filter, at(frontier, index));
  return edges * strideLength;
}
