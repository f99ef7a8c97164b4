import type { Adjacency } from "../adjacency.ts";
import { at } from "../column.ts";
import type { Meter } from "./budget.ts";
import type { Reach } from "./reach.ts";
import { costOfLookup, edgesAhead, edgeTo, follows, followsAll, type Ways } from "./ways.ts";

/** A breadth-first walk from one end of a route. */
export interface Side {
  readonly ways: Ways;
  readonly reach: Reach;
  /** The steps that it has gone: the levels that it has reached whole. */
  steps: number;
  /** Edges to look at in the next step. */
  cost: number;
}

/** Begins a walk that keeps out of some nodes. */
export function beginAt(
  node: number,
  { ways, reach, closed }: { ways: Ways; reach: Reach; closed: Iterable<number> },
  meter: Meter,
): Side {
  reach.begin();
  meter.visit();
  reach.add(node);
  for (const other of closed) reach.close(other);
  return { ways, reach, steps: 0, cost: edgesAhead(ways, node) };
}

/** The nodes from which the next step leads on. */
export function frontierOf({ reach, steps }: Side): Uint32Array {
  return reach.nodesAt(steps);
}

/**
 * Walks one step on from one end, until that meets the walk from the other; true where it does. `barred` are nodes to
 * which a step from a node may not lead: none of them has been reached. Hubs come last: most walks meet without them.
 */
export function advance(
  side: Side,
  other: Side,
  barred: (node: number) => Iterable<number>,
  meter: Meter,
): boolean {
  const { reach, ways } = side;
  const frontier = frontierOf(side);
  const hubs: number[] = [];
  const walkOn = (node: number): boolean => {
    for (const second of barred(node)) reach.close(second);
    const hasMet = isJoined(side, other, node, meter) || takeRows(side, other, node, meter);
    for (const second of barred(node)) reach.open(second);
    return hasMet;
  };
  reach.beginLevel();
  for (const node of frontier) {
    if (edgesAhead(ways, node) > edgesOfHub) hubs.push(node);
    else if (walkOn(node)) return true;
    if (meter.exhausted) return false;
  }
  for (const hub of hubs) {
    if (walkOn(hub)) return true;
    if (meter.exhausted) return false;
  }
  side.steps += 1;
  side.cost = costOf(ways, frontierOf(side));
  return false;
}

/** Edges that make a node a hub, to which a walk goes last. */
const edgesOfHub = 1000;

/** Whether one step leads from a hub to the other walk: looked up, where that is less than to go through its rows. */
function isJoined({ reach, ways }: Side, other: Side, node: number, meter: Meter): boolean {
  const edges = edgesAhead(ways, node);
  const targets = frontierOf(other);
  if (edges <= edgesOfHub || targets.length * costOfLookup >= edges || !meter.step(targets.length))
    return false;
  return targets.some((target) => !reach.isBehind(target) && edgeTo(ways, node, target) !== null);
}

/** Edges looked at between two looks at the budget. */
const stretch = 1024;

/** Takes what a node's rows lead to; true where the walks meet. */
function takeRows(side: Side, other: Side, node: number, meter: Meter): boolean {
  return side.ways.adjacencies.some((adjacency) => takeRow(side, other, { adjacency, node }, meter));
}

function takeRow(
  { reach, ways }: Side,
  other: Side,
  { adjacency, node }: { adjacency: Adjacency; node: number },
  meter: Meter,
): boolean {
  const { offsets, nodes } = adjacency;
  const followed = followsAll(ways) ? null : (position: number) => follows(ways, adjacency, position);
  const endOfRow = at(offsets, node + 1);
  for (let first = at(offsets, node); first < endOfRow; first += stretch) {
    const end = Math.min(first + stretch, endOfRow);
    if (!meter.step(end - first)) return false;
    const before = reach.count;
    const position = reach.addRow({ nodes, first, end }, followed, other.reach, meter.room);
    meter.visit(reach.count - before);
    if (position === end) continue;
    if (other.reach.levelOf(at(nodes, position)) >= 0) return true;
    meter.visit();
    return false;
  }
  return false;
}

/** Nodes of a frontier whose edges are counted. */
const sample = 1024;

/** Edges ahead of a frontier; of a large one an estimate, which changes what a search costs and never what it finds. */
function costOf(ways: Ways, frontier: Uint32Array): number {
  const strideLength = Math.ceil(frontier.length / sample);
  let edges = 0;
  for (let index = 0; index < frontier.length; index += strideLength)
    edges += edgesAhead(ways, at(frontier, index));
  return edges * strideLength;
}
