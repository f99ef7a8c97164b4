import type { Meter } from "./budget.ts";
import type { Levels } from "./levels.ts";
import { isBarred, type Route } from "./route.ts";
import { eachStep, edgesAhead, type Ways } from "./ways.ts";

/** A breadth-first walk from one end of a route. */
export interface Side {
  readonly ways: Ways;
  readonly levels: Levels;
  /** The nodes that it came by, by their steps from the end. */
  readonly reached: (readonly number[])[];
  /** The steps that it has gone. */
  steps: number;
  /** Edges to look at in the next step. */
  cost: number;
}

export function beginAt(node: number, ways: Ways, levels: Levels, meter: Meter): Side {
  levels.begin();
  meter.visit();
  levels.set(node, 0);
  return { ways, levels, reached: [[node]], steps: 0, cost: edgesAhead(ways, node) };
}

/** The nodes from which the next step leads on. */
export function frontierOf({ reached, steps }: Side): readonly number[] {
  return reached[steps] ?? [];
}

/**
 * Walks one step on from one end and gives the nodes where that meets the walk from the other. Those all lie on the
 * other's frontier: the walks would have met before otherwise. Once they meet, further nodes are of no account.
 */
export function advance(side: Side, other: Side, route: Route, meter: Meter): number[] {
  const meeting: number[] = [];
  const frontier: number[] = [];
  let cost = 0;
  const take = (node: number, next: number): boolean => {
    if (side.levels.of(next) >= 0 || route.closed.has(next)) return true;
    if (isBarred(route, node, next) || isBarred(route, next, node)) return true;
    const meets = other.levels.of(next) >= 0;
    if (!meets && meeting.length > 0) return true;
    if (!meets && !meter.visit()) return false;
    side.levels.set(next, side.steps + 1);
    (meets ? meeting : frontier).push(next);
    cost += edgesAhead(side.ways, next);
    return true;
  };
  for (const node of frontierOf(side)) {
    if (!eachStep(side.ways, node, meter, (next) => take(node, next))) break;
  }
  side.reached.push(frontier);
  side.steps += 1;
  side.cost = cost;
  return meeting;
}
