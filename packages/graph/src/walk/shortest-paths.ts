import { type Adjacency, edgesBetween } from "../adjacency.ts";
import { at } from "../columns.ts";
import type { Graph } from "../graph.ts";
import type { VisitedSet } from "../visited-set.ts";
import {
  type EdgeFilter,
  edgesAhead,
  edgeTo,
  follows,
  followsAllTypes,
  lookupCost,
  reversed,
} from "./edge-filter.ts";
import type { WalkBudget } from "./walk-budget.ts";

/** The state that the searches for paths of one request share. */
export interface RouteSearch {
  readonly graph: Graph;
  readonly filter: EdgeFilter;
  readonly budget: WalkBudget;
  /** Whether a path may visit a node; null if it may visit any. */
  readonly isPassable: ((node: number) => boolean) | null;
}

/** The ends of the shortest paths that are searched for, and their limits. The ends differ, and neither is closed. */
export interface Route {
  readonly from: number;
  readonly to: number;
  /** Nodes that no path may visit. */
  readonly closed: ReadonlySet<number>;
  /** Nodes that no path may visit right after `from`. */
  readonly notSecond: ReadonlySet<number>;
  /** Steps that a path may have. */
  readonly limit: number;
}

/** A breadth-first walk from one end of a route. */
interface Walk extends Pick<RouteSearch, "filter" | "budget" | "isPassable"> {
  readonly visited: VisitedSet;
  /** The levels that it has reached completely. */
  steps: number;
  /** Edges to look at in the next step. */
  cost: number;
}

/** The two walks of a route have met: its shortest paths have `length` steps. */
interface Meeting {
  readonly kind: "met";
  readonly length: number;
  readonly start: Walk;
  readonly end: Walk;
}

/**
 * The outcome of the two walks of a route. `dead-end`: there is no path of any length. `cut`: the route's limit or the budget
 * ended the search, and only paths of more than `searched` steps are possible.
 */
export type Outcome =
  | Meeting
  | { readonly kind: "dead-end" }
  | { readonly kind: "cut"; readonly searched: number };

/**
 * Bidirectional breadth-first search: walks from both ends, each time one step from the end with fewer edges ahead, until
 * the walks meet. `trace` reads the paths from the meeting, until the next search in this graph.
 */
export function meet({ graph, filter, budget, isPassable }: RouteSearch, route: Route): Outcome {
  const { from, to, closed, notSecond } = route;
  const backwards = reversed(filter, graph.columns);
  const shared = { budget, isPassable };
  const start = startWalk(from, { ...shared, filter, visited: graph.reach.forward }, closed);
  const end = startWalk(to, { ...shared, filter: backwards, visited: graph.reach.backward }, closed);
  const barredForward = (node: number) => (node === from ? notSecond : noNodes);
  const barredBackward = (node: number) => (notSecond.has(node) ? [from] : noNodes);
  while (frontierOf(start).length > 0 && frontierOf(end).length > 0) {
    const searched = start.steps + end.steps;
    if (budget.exhausted || searched >= route.limit) return { kind: "cut", searched };
    const hasMet =
      start.cost <= end.cost ? advance(start, end, barredForward) : advance(end, start, barredBackward);
    if (hasMet) return { kind: "met", length: searched + 1, start, end };
    if (budget.exhausted) return { kind: "cut", searched };
  }
  return { kind: "dead-end" };
}

export const noNodes: ReadonlySet<number> = new Set();

function startWalk(node: number, walk: Omit<Walk, "steps" | "cost">, closed: Iterable<number>): Walk {
  const { visited, budget, filter } = walk;
  visited.begin();
  budget.visit();
  visited.add(node);
  for (const other of closed) visited.close(other);
  return { ...walk, steps: 0, cost: edgesAhead(filter, node) };
}

/** The nodes from which the next step starts. */
function frontierOf({ visited, steps }: Walk): Uint32Array {
  return visited.nodesAt(steps);
}

/** A node with more edges is a hub. A step expands hubs last, because most walks meet without them. */
const maxEdgesBesideHubs = 1000;

/**
 * Walks one step further; true if that meets the other walk. `barred` are nodes to which a step from a node may not lead;
 * none of them has been reached.
 */
function advance(walk: Walk, other: Walk, barred: (node: number) => Iterable<number>): boolean {
  const { visited, filter, budget } = walk;
  const hubs: number[] = [];
  const expand = (node: number): boolean => {
    for (const second of barred(node)) visited.close(second);
    const hasMet =
      isJoined(walk, other, node) ||
      filter.adjacencies.some((adjacency) => takeRow(walk, other, adjacency, node));
    for (const second of barred(node)) visited.open(second);
    return hasMet;
  };
  const frontier = frontierOf(walk);
  visited.beginLevel();
  for (const node of frontier) {
    if (edgesAhead(filter, node) > maxEdgesBesideHubs) hubs.push(node);
    else if (expand(node)) return true;
    if (budget.exhausted) return false;
  }
  for (const hub of hubs) {
    if (expand(hub)) return true;
    if (budget.exhausted) return false;
  }
  walk.steps += 1;
  walk.cost = costOf(filter, frontierOf(walk));
  return false;
}

/** Whether one step leads from a hub to the other walk, if looking that up costs less than reading the hub's rows. */
function isJoined({ visited, filter, budget }: Walk, other: Walk, node: number): boolean {
  const edges = edgesAhead(filter, node);
  const targets = frontierOf(other);
  const isWorthwhile = edges > maxEdgesBesideHubs && targets.length * lookupCost < edges;
  if (!isWorthwhile || !budget.step(targets.length)) return false;
  return targets.some(
    (target) => !visited.isReachedOrClosed(target) && edgeTo(filter, node, target) !== null,
  );
}

/** Edges between two checks of the budget. */
const stretchLength = 1024;

/** Adds the nodes in one row; true if one of them was reached by the other walk. */
function takeRow(walk: Walk, other: Walk, adjacency: Adjacency, node: number): boolean {
  const { visited, budget } = walk;
  const { offsets, nodes } = adjacency;
  const followed = stepsTaken(walk, adjacency);
  const endOfRow = at(offsets, node + 1);
  for (let first = at(offsets, node); first < endOfRow; first += stretchLength) {
    const end = Math.min(first + stretchLength, endOfRow);
    if (!budget.step(end - first)) return false;
    const before = visited.count;
    const position = visited.addRow({ nodes, first, end }, followed, other.visited, budget.remainingVisits);
    budget.visit(visited.count - before);
    if (position === end) continue;
    if (other.visited.levelOf(at(nodes, position)) >= 0) return true;
    budget.visit();
    return false;
  }
  return false;
}

/** Tells which edges of a node's row a walk takes; null if it takes all. */
function stepsTaken(
  { filter, isPassable }: Walk,
  adjacency: Adjacency,
): ((position: number) => boolean) | null {
  if (isPassable === null && followsAllTypes(filter)) return null;
  const isFollowed = (position: number) => follows(filter, adjacency, position);
  if (isPassable === null) return isFollowed;
  return (position) => isPassable(at(adjacency.nodes, position)) && isFollowed(position);
}

/** Nodes of a frontier whose edges are counted. */
const sampleSize = 1024;

/** Edges ahead of a frontier. For a large one it is an estimate, which affects what a search costs but not what it finds. */
function costOf(filter: EdgeFilter, frontier: Uint32Array): number {
  const stride = Math.ceil(frontier.length / sampleSize);
  let edges = 0;
  for (let index = 0; index < frontier.length; index += stride)
    edges += edgesAhead(filter, at(frontier, index));
  return edges * stride;
}

/** The nodes that may come next on the shortest paths: those at one level of one of the walks. */
interface Layer {
  readonly visited: VisitedSet;
  readonly level: number;
  /** Excluded nodes. */
  readonly barred: ReadonlySet<number>;
}

/**
 * Lists the shortest paths of a meeting in the order of their nodes' ids: at most `maxPaths`, fewer if there are no more
 * or time is up. A depth-first search by least id. A node from which the end cannot be reached loses its level, so that
 * no later path tries it again.
 */
export function trace(search: RouteSearch, route: Route, meeting: Meeting, maxPaths: number): number[][] {
  const { length, start } = meeting;
  const listed: number[][] = [];
  const path = [route.from];
  /** For each node of the path: which node was tried after it last, and how many paths were listed before. */
  const tried = [{ next: -1, listedBefore: 0 }];
  for (let last = tried[0]; last !== undefined && listed.length < maxPaths; last = tried.at(-1)) {
    const steps = path.length - 1;
    const node = path[steps] ?? route.from;
    const next =
      steps === length ? noNext : nextInto(layerAfter(steps, route, meeting), node, last.next, search);
    if (search.budget.exhausted) break;
    if (next !== noNext) {
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

const noNext = Number.POSITIVE_INFINITY;

/** After the step that joins the walks, paths descend the levels of the walk from the end. */
function layerAfter(steps: number, route: Route, { start, end }: Meeting): Layer {
  const barred = steps === 0 ? route.notSecond : noNodes;
  return steps < start.steps
    ? { visited: start.visited, level: steps + 1, barred }
    : { visited: end.visited, level: end.steps - (steps - start.steps), barred };
}

/**
 * The node of a layer with the least id above `after` that is one step from a node. Reads the node's rows, or looks up
 * each node of the layer if the node is a hub.
 */
function nextInto(layer: Layer, node: number, after: number, search: RouteSearch): number {
  const { filter, budget } = search;
  const candidates = layer.visited.nodesAt(layer.level);
  if (candidates.length * lookupCost >= edgesAhead(filter, node))
    return nextInRows(layer, node, after, search);
  let least = noNext;
  for (const next of candidates) {
    if (!budget.step()) break;
    if (next > after && next < least && isIn(layer, next) && edgeTo(filter, node, next)) least = next;
  }
  return least;
}

function nextInRows(layer: Layer, node: number, after: number, { filter, budget }: RouteSearch): number {
  let least = noNext;
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
