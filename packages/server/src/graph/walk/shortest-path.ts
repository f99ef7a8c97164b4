import type { Graph } from "../graph.ts";
import type { Meter } from "./budget.ts";
import type { Route } from "./route.ts";
import { advance, beginAt, frontierOf } from "./side.ts";
import { trace } from "./trace.ts";
import { reversed } from "./ways.ts";

/**
 * The nodes of a path; or a dead end, where there is none of any length; or a search that was cut by the limit or the
 * budget, after which only paths of more than `searched` steps are possible.
 */
export type Outcome =
  | { readonly kind: "path"; readonly nodes: readonly number[] }
  | { readonly kind: "dead-end" }
  | { readonly kind: "cut"; readonly searched: number };

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
