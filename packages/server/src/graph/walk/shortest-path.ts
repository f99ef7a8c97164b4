import type { Graph } from "../graph.ts";
import type { Meter } from "./budget.ts";
import type { Levels } from "./levels.ts";
import { trace } from "./trace.ts";
import { eachStep, edgesAhead, reversed, type Ways } from "./ways.ts";

/** Between which nodes a path is sought, and what bars it. The two differ, and neither is closed. */
export interface Route {
  readonly ways: Ways;
  readonly from: number;
  readonly to: number;
  /** Nodes that the path keeps out of. */
  readonly closed: ReadonlySet<number>;
  /** Nodes that do not come second on it. */
  readonly notSecond: ReadonlySet<number>;
  /** Steps that it may have. */
  readonly limit: number;
}

/**
 * The nodes of a path; or a dead end, where there is none of any length; or a search that was cut by the limit or the
 * budget, after which only paths of more than `searched` steps are possible.
 */
export type Outcome =
  | { readonly kind: "path"; readonly nodes: readonly number[] }
  | { readonly kind: "dead-end" }
  | { readonly kind: "cut"; readonly searched: number };

/** A breadth-first walk from one end. */
export interface Side {
  readonly ways: Ways;
  readonly levels: Levels;
  /** The nodes that it came by, by their steps from the end. */
  readonly reached: number[][];
  /** The steps that it has gone. */
  steps: number;
  /** Edges to look at in the next step. */
  cost: number;
}

/**
 * Finds the shortest path, and of several the first in the order of their nodes' ids.
 * Walks from both ends, each time one step on from the end where fewer edges lie ahead, until the walks meet.
 */
export function shortestPath(graph: Graph, route: Route, meter: Meter): Outcome {
  const start = beginAt(route.from, route.ways, graph.levels.forward, meter);
  const end = beginAt(route.to, reversed(route.ways, graph.columns), graph.levels.backward, meter);
  while (frontierOf(start).length > 0 && frontierOf(end).length > 0) {
    const searched = start.steps + end.steps;
    if (meter.exhausted || searched >= route.limit) return { kind: "cut", searched };
    const [side, other] = start.cost <= end.cost ? [start, end] : [end, start];
    const meeting = advance(side, other, route, meter);
    const nodes = meeting.length > 0 ? trace(route, start, end, meeting, meter) : [];
    if (meter.exhausted) return { kind: "cut", searched };
    if (nodes.length > 0) return { kind: "path", nodes };
  }
  return { kind: "dead-end" };
}

function beginAt(node: number, ways: Ways, levels: Levels, meter: Meter): Side {
  levels.begin();
  meter.visit();
  levels.set(node, 0);
  return { ways, levels, reached: [[node]], steps: 0, cost: edgesAhead(ways, node) };
}

function frontierOf({ reached, steps }: Side): readonly number[] {
  return reached[steps] ?? [];
}

/**
 * Walks one step on from one end and gives the nodes where that meets the walk from the other. Those all lie on the
 * other's frontier: the walks would have met before otherwise. Once they meet, further nodes are of no account.
 */
function advance(side: Side, other: Side, route: Route, meter: Meter): number[] {
  const { from, closed, notSecond } = route;
  const steps = side.steps + 1;
  const meeting: number[] = [];
  const frontier: number[] = [];
  let cost = 0;
  const take = (node: number, next: number): boolean => {
    if (side.levels.of(next) >= 0 || closed.has(next)) return true;
    if (node === from ? notSecond.has(next) : next === from && notSecond.has(node)) return true;
    const meets = other.levels.of(next) >= 0;
    if (!meets && meeting.length > 0) return true;
    if (!meets && !meter.visit()) return false;
    side.levels.set(next, steps);
    (meets ? meeting : frontier).push(next);
    cost += edgesAhead(side.ways, next);
    return true;
  };
  for (const node of frontierOf(side)) {
    if (!eachStep(side.ways, node, meter, (next) => take(node, next))) break;
  }
  side.reached.push(frontier);
  side.steps = steps;
  side.cost = cost;
  return meeting;
}
