import { edgesBetween } from "../adjacency.ts";
import { at } from "../column.ts";
import { costOfLookup, type EdgeFilter, edgesAhead, edgeTo, follows } from "./edge-filter.ts";
import type { Frontier } from "./frontier.ts";
import type { Route } from "./route.ts";
import type { VisitedSet } from "./visited-set.ts";
import type { WalkBudget } from "./walk-budget.ts";

/** The nodes that come next on the shortest paths: those at a level of one of the walks. */
interface Layer {
  readonly visited: VisitedSet;
  readonly level: number;
  /** Nodes that are none of them for all that. */
  readonly barred: ReadonlySet<number>;
}

/**
 * Lists shortest paths once the walks from both ends have met: by the order of their nodes' ids, `atMost` so many, fewer
 * where there are no more or time is up. Goes forward by the least id each time, and back where that leads nowhere. A
 * node from which the end is not reached loses its level, so that no path is tried by way of it again.
 */
export function trace(
  route: Omit<Route, "limit">,
  { start, end }: { start: Frontier; end: Frontier },
  atMost: number,
  budget: WalkBudget,
): number[][] {
  const length = start.steps + 1 + end.steps;
  const listed: number[][] = [];
  const path = [route.from];
  /** For each node of the path: the one after it that was tried last, and how many paths were listed before. */
  const tried = [{ next: -1, listedBefore: 0 }];
  for (let last = tried[0]; last !== undefined && listed.length < atMost; last = tried.at(-1)) {
    const steps = path.length - 1;
    const node = path[steps] ?? route.from;
    const next =
      steps === length
        ? none
        : nextInto(layerAfter(steps, { route, start, end }), route.filter, node, last.next, budget);
    if (budget.exhausted) break;
    if (next !== none) {
      last.next = next;
      path.push(next);
      tried.push({ next: -1, listedBefore: listed.length });
      continue;
    }
    if (steps === length) listed.push([...path]);
    else if (listed.length === last.listedBefore) start.visited.open(node);
    path.pop();
    tried.pop();
  }
  return listed;
}

interface Walked {
  readonly route: Omit<Route, "limit">;
  readonly start: Frontier;
  readonly end: Frontier;
}

const none = Number.POSITIVE_INFINITY;
const nothing: ReadonlySet<number> = new Set();

/** Past the step between the walks, the way is down the levels of the one that came from the end. */
function layerAfter(steps: number, { route, start, end }: Walked): Layer {
  const barred = steps === 0 ? route.notSecond : nothing;
  return steps < start.steps
    ? { visited: start.visited, level: steps + 1, barred }
    : { visited: end.visited, level: end.steps - (steps - start.steps), barred };
}

/**
 * The node of a layer with the least id beyond `after` that is one step from a node: found in the node's rows, or by way
 * of the layer where the node is a hub.
 */
function nextInto(layer: Layer, filter: EdgeFilter, node: number, after: number, budget: WalkBudget): number {
  const candidates = layer.visited.nodesAt(layer.level);
  if (candidates.length * costOfLookup >= edgesAhead(filter, node))
    return nextInRows(layer, filter, node, after, budget);
  let least = none;
  for (const next of candidates) {
    if (!budget.step()) break;
    if (next > after && next < least && isIn(layer, next) && edgeTo(filter, node, next)) least = next;
  }
  return least;
}

function nextInRows(
  layer: Layer,
  filter: EdgeFilter,
  node: number,
  after: number,
  budget: WalkBudget,
): number {
  let least = none;
  for (const adjacency of filter.adjacencies) {
    const end = at(adjacency.offsets, node + 1);
    const [first] = edgesBetween(adjacency, node, after + 1);
    for (let position = first; position < end && at(adjacency.nodes, position) < least; position += 1) {
      if (!budget.step()) return least;
      const next = at(adjacency.nodes, position);
      if (isIn(layer, next) && follows(filter, adjacency, position)) least = next;
    }
  }
  return least;
}

function isIn({ visited, level, barred }: Layer, node: number): boolean {
  return visited.levelOf(node) === level && !barred.has(node);
}
