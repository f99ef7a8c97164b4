import type { Adjacency } from "../adjacency.ts";
import { at } from "../column.ts";
import type { Meter } from "./budget.ts";
import type { Levels } from "./levels.ts";
import { isBarred, type Route } from "./route.ts";
import { edgesAhead, follows, type Ways } from "./ways.ts";

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

/** A step of one side under way. */
interface Step {
  readonly side: Side;
  readonly other: Side;
  readonly route: Route;
  readonly isBarredNowhere: boolean;
  readonly meter: Meter;
  readonly meeting: number[];
  readonly frontier: number[];
}

/**
 * Walks one step on from one end and gives the nodes where that meets the walk from the other. Those all lie on the
 * other's frontier: the walks would have met before otherwise. Once they meet, further nodes are of no account.
 */
export function advance(side: Side, other: Side, route: Route, meter: Meter): number[] {
  const isBarredNowhere = route.closed.size + route.notSecond.size === 0;
  const step: Step = { side, other, route, isBarredNowhere, meter, meeting: [], frontier: [] };
  for (const node of frontierOf(side)) {
    if (!side.ways.adjacencies.every((adjacency) => takeRow(step, adjacency, node))) break;
  }
  side.reached.push(step.frontier);
  side.steps += 1;
  side.cost = costOf(side.ways, step.frontier);
  return step.meeting;
}

/** Takes what a node's row leads to; false where the budget ends. Hubs make this the loop in which searches spend their time. */
function takeRow(step: Step, adjacency: Adjacency, node: number): boolean {
  const { side, other, route, isBarredNowhere, meter, meeting, frontier } = step;
  const end = at(adjacency.offsets, node + 1);
  for (let position = at(adjacency.offsets, node); position < end; position += 1) {
    if (!meter.step()) return false;
    const next = at(adjacency.nodes, position);
    if (side.levels.of(next) >= 0 || !follows(side.ways, adjacency, position)) continue;
    if (!isBarredNowhere && isClosed(route, node, next)) continue;
    if (other.levels.of(next) >= 0) meeting.push(next);
    else if (meeting.length > 0) continue;
    else if (meter.visit()) frontier.push(next);
    else return false;
    side.levels.set(next, side.steps + 1);
  }
  return true;
}

/** Whether neither side may go from a node to the next. */
function isClosed(route: Route, node: number, next: number): boolean {
  return route.closed.has(next) || isBarred(route, node, next) || isBarred(route, next, node);
}

/** Nodes of a frontier whose edges are counted. */
const sample = 1024;

/** Edges ahead of a frontier; of a large one an estimate, which changes what a search costs and never what it finds. */
function costOf(ways: Ways, frontier: readonly number[]): number {
  const stride = Math.ceil(frontier.length / sample);
  let edges = 0;
  for (let index = 0; index < frontier.length; index += stride)
    edges += edgesAhead(ways, frontier[index] ?? 0);
  return edges * stride;
}
