import type { Graph } from "../graph.ts";
import { reversed } from "./edge-filter.ts";
import { advance, beginAt, type Frontier, frontierOf } from "./frontier.ts";
import type { Route } from "./route.ts";
import type { WalkBudget } from "./walk-budget.ts";

/**
 * What two walks from the ends of a route came to. They met: the shortest paths have `length` steps, those that either
 * walk has gone and one between them. Or they came to a dead end: there is no path of any length. Or they were cut, by
 * the limit or the budget, after which only paths of more than `searched` steps are possible.
 */
export type Outcome =
  | { readonly kind: "met"; readonly length: number; readonly start: Frontier; readonly end: Frontier }
  | { readonly kind: "dead-end" }
  | { readonly kind: "cut"; readonly searched: number };

/**
 * Walks from both ends of a route, each time one step on from the end where fewer edges lie ahead, until the walks
 * meet. `trace` reads paths from the outcome, as long as no other search has begun in this graph.
 */
export function meet(graph: Graph, route: Route, budget: WalkBudget): Outcome {
  const { from, to, filter, closed, notSecond } = route;
  const start = beginAt(from, { filter, visited: graph.reach.forward, closed }, budget);
  const back = reversed(filter, graph.columns);
  const end = beginAt(to, { filter: back, visited: graph.reach.backward, closed }, budget);
  const barredAhead = (node: number) => (node === from ? notSecond : nothing);
  const barredBack = (node: number) => (notSecond.has(node) ? [from] : nothing);
  while (frontierOf(start).length > 0 && frontierOf(end).length > 0) {
    const searched = start.steps + end.steps;
    if (budget.exhausted || searched >= route.limit) return { kind: "cut", searched };
    const hasMet =
      start.cost <= end.cost
        ? advance(start, end, barredAhead, budget)
        : advance(end, start, barredBack, budget);
    if (hasMet) return { kind: "met", length: searched + 1, start, end };
    if (budget.exhausted) return { kind: "cut", searched };
  }
  return { kind: "dead-end" };
}

const nothing: readonly number[] = [];
