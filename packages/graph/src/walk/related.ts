import type { SharedKind } from "@clew/contract/vocabulary";
import { at, byteAt, floatAt, GrowingColumn, identityOrder } from "../columns.ts";
import { degreeAt, type Graph } from "../graph.ts";
import type { NodeId } from "../node.ts";
import { sortByNumbers } from "../radix-sort.ts";
import { type EdgeFilter, eachStep, edgeFilterOf, edgesAhead, edgeTo } from "./edge-filter.ts";
import { WalkBudget, type WalkLimits } from "./walk-budget.ts";

export interface RelatedOptions {
  /** Whether nodes that are linked directly are listed too. */
  readonly linked: boolean;
  readonly limit: number;
  readonly limits: WalkLimits;
}

/** The nodes that two nodes share in one way. */
interface Shared {
  readonly type: SharedKind;
  readonly count: number;
  /** Indexes of up to `maxVia` of them, those with the fewest edges first. */
  readonly via: readonly number[];
}

export interface Related {
  /** Best first. */
  readonly items: readonly {
    /** The index of a node. */
    readonly node: number;
    /** Above 0 and at most 1: how much of what the start could share it shares. */
    readonly score: number;
    readonly reasons: readonly Shared[];
  }[];
  /** A limit ended the search: something may be missing, counts may be too low, and scores relate to what was seen. */
  readonly truncated: boolean;
}

const maxVia = 3;

/** Nodes with more edges say little about what they link, and are not walked through. */
const maxEdgesThrough = 1000;

/** Edges of the start that are looked at in each direction, first those with the lowest ids. */
export const maxOwnEdges = 10_000;

/**
 * The nodes that share links, mentions and relations with a node (GRAPH-21). A shared node counts `1/ln(2 + degree)`.
 * Shared nodes are visited by degree, lowest first, so that a search that the budget ends has seen those that count most.
 */
export function related(graph: Graph, id: NodeId, { linked, limit, limits }: RelatedOptions): Related {
  const search = { graph, start: graph.indexOf(id), kinds: kindsOf(graph) };
  const budget = new WalkBudget(limits);
  budget.visit();
  const between = nodesBetween(search, budget);
  const own = between.nodes.reduce((sum, node) => sum + weightOf(graph, node), 0);
  const paths = followPaths(search, between, budget);
  const sums = takeScratch(graph.nodeCount);
  const touched = sumWeights(graph, between, paths, sums);
  sums[search.start] = 0;
  const best = greatest(sums, touched, limit, (node) => linked || !isLinkedDirectly(search, node));
  for (let index = 0; index < touched.length; index += 1) sums[touched.at(index)] = 0;
  const reasons = reasonsFor(
    search,
    between,
    paths,
    best.map(({ node }) => node),
  );
  return {
    items: best.map(({ node, sum }, index) => ({
      node,
      score: Math.min(1, sum / own),
      reasons: reasons[index] ?? [],
    })),
    truncated: budget.exhausted || between.isCut,
  };
}

interface Search {
  readonly graph: Graph;
  readonly start: number;
  readonly kinds: readonly Kind[];
}

/** A way to share: from each of two nodes `away` to what they share, and from there `back`. */
interface Kind {
  readonly type: SharedKind;
  readonly away: EdgeFilter;
  readonly back: EdgeFilter;
}

function kindsOf({ columns }: Graph): readonly Kind[] {
  const types = ["mention", "link", "relation"] as const;
  const [out, back] = [edgeFilterOf(columns, "out", types), edgeFilterOf(columns, "in", types)];
  return [
    { type: "same_targets", away: out, back },
    { type: "same_sources", away: back, back: out },
  ];
}

/** The nodes that the start could share, in the order of degrees, and the kind of each as an index. */
interface Between {
  readonly nodes: Uint32Array;
  readonly kinds: Uint8Array;
  /** Whether the start has more edges than are looked at. */
  readonly isCut: boolean;
}

function nodesBetween({ graph, start, kinds }: Search, budget: WalkBudget): Between {
  const nodes = new GrowingColumn();
  const kindOf = new GrowingColumn();
  let isCut = false;
  for (const [kind, { away }] of kinds.entries()) {
    isCut ||= edgesAhead(away, start) > maxOwnEdges;
    eachLinked({ ...away, maxEdges: maxOwnEdges }, start, budget, (node) => {
      if (!isWalkedThrough(graph, node)) return true;
      nodes.push(node);
      kindOf.push(kind);
      return true;
    });
  }
  const found = nodes.values();
  const degrees = found.map((node) => degreeAt(graph.columns, node));
  const order = sortByNumbers(identityOrder(found.length), degrees, "ascending");
  return {
    nodes: order.map((row) => at(found, row)),
    kinds: Uint8Array.from(order, (row) => kindOf.at(row)),
    isCut,
  };
}

let scratch = new Float64Array(0);

/** A column of zeros, to be reset after use: see the rule on scratch memory at `Graph`. */
function takeScratch(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(length);
  return scratch;
}

/** The paths from the start over a node between to another node, in the order of the nodes between. */
interface Paths {
  /** The node at the end of each path. */
  readonly ends: GrowingColumn;
  /** The number of paths up to each node between. Those after the last were not reached. */
  readonly counts: GrowingColumn;
}

function followPaths({ kinds }: Search, between: Between, budget: WalkBudget): Paths {
  const paths = { ends: new GrowingColumn(), counts: new GrowingColumn() };
  const add = (node: number) => {
    if (!budget.visit()) return false;
    paths.ends.push(node);
    return true;
  };
  for (let row = 0; row < between.nodes.length && !budget.exhausted; row += 1) {
    const kind = kinds[byteAt(between.kinds, row)];
    if (kind !== undefined) eachLinked(kind.back, at(between.nodes, row), budget, add);
    paths.counts.push(paths.ends.length);
  }
  return paths;
}

/** Adds up in `sums` the weights of all paths to each node. Returns these nodes. */
function sumWeights(
  graph: Graph,
  between: Between,
  { ends, counts }: Paths,
  sums: Float64Array,
): GrowingColumn {
  const touched = new GrowingColumn();
  let path = 0;
  for (let row = 0; row < counts.length; row += 1) {
    const weight = weightOf(graph, at(between.nodes, row));
    for (; path < counts.at(row); path += 1) {
      const node = ends.at(path);
      const sum = floatAt(sums, node);
      if (sum === 0) touched.push(node);
      sums[node] = sum + weight;
    }
  }
  return touched;
}

/** Calls `take` with each node that a filter leads to, once; stops when it returns false or time is up. */
function eachLinked(
  filter: EdgeFilter,
  node: number,
  budget: WalkBudget,
  take: (other: number) => boolean,
): void {
  // Edges to the same node follow one another in a row.
  let last = -1;
  eachStep(filter, node, budget, (other) => {
    if (other === last) return true;
    last = other;
    return take(other);
  });
}

function isLinkedDirectly({ start, kinds }: Search, node: number): boolean {
  return kinds.some(({ away }) => edgeTo(away, start, node) !== null);
}

function greatest(
  sums: Float64Array,
  touched: GrowingColumn,
  limit: number,
  accepts: (node: number) => boolean,
): { node: number; sum: number }[] {
  const best: { node: number; sum: number }[] = [];
  for (let index = 0; index < touched.length; index += 1) {
    const node = touched.at(index);
    const sum = floatAt(sums, node);
    const isBehind = (other: { node: number; sum: number }) =>
      other.sum < sum || (other.sum === sum && other.node > node);
    const worst = best[limit - 1];
    if (sum === 0 || (worst !== undefined && !isBehind(worst)) || !accepts(node)) continue;
    const place = best.findIndex(isBehind);
    best.splice(place < 0 ? best.length : place, 0, { node, sum });
    if (best.length > limit) best.pop();
  }
  return best;
}

/** The nodes that each of some nodes shares with the start, by kind. */
function reasonsFor(
  { kinds }: Search,
  between: Between,
  { ends, counts }: Paths,
  nodes: readonly number[],
): Shared[][] {
  const indexes = new Map(nodes.map((node, index) => [node, index]));
  const found = nodes.map(() => kinds.map(({ type }) => ({ type, count: 0, via: [] as number[] })));
  let path = 0;
  for (let row = 0; row < counts.length; row += 1) {
    for (; path < counts.at(row); path += 1) {
      const index = indexes.get(ends.at(path));
      const shared = index === undefined ? undefined : found[index]?.[byteAt(between.kinds, row)];
      if (shared === undefined) continue;
      shared.count += 1;
      if (shared.via.length < maxVia) shared.via.push(at(between.nodes, row));
    }
  }
  return found.map((each) => each.filter(({ count }) => count > 0));
}

function isWalkedThrough({ columns }: Graph, node: number): boolean {
  return degreeAt(columns, node) <= maxEdgesThrough;
}

function weightOf({ columns }: Graph, node: number): number {
  return 1 / Math.log(2 + degreeAt(columns, node));
}
