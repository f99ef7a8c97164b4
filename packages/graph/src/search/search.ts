import { type MatchKind, matchKinds } from "@clew/contract/vocabulary";
import { at, firstPosition, floatAt, type NarrowColumn, narrowAt } from "../columns.ts";
import { degreeAt, type Graph, type GraphColumns } from "../graph.ts";
import type { GraphNode, NodeId } from "../node.ts";
import { countUpTo } from "../node-ids.ts";
import type { Range } from "../packed-texts.ts";
import { RankSet, SetPool } from "../rank-set.ts";
import type { TitleIndex } from "../title-index.ts";
import { type FilteredNodes, filteredNodes, type NodeFilter } from "./node-filter.ts";
import { matchOf, type Tier, type TitleQuery, tiers, titleQuery } from "./title-query.ts";

export interface SearchOptions {
  readonly query: string;
  /** All nodes if absent. */
  readonly filter?: NodeFilter | undefined;
  /** The key of the last item so far, after which results continue. It may come from another graph, or its node may be gone. */
  readonly after?: RankKey | undefined;
  readonly limit: number;
}

export interface SearchHit {
  readonly node: GraphNode;
  /** Above 0 and at most 1; a better kind of match always scores more. */
  readonly score: number;
  readonly match: MatchKind;
  readonly key: RankKey;
}

/** The values that decide a node's position among results, before its id. */
interface Relevance {
  readonly tier: Tier;
  /**
   * In the tiers of `words`, the code points of the name that matches, folded: the shorter it is, the greater is the share of it
   * that the words of the query are. Otherwise 0.
   */
  readonly length: number;
  /** Edges in and out. */
  readonly degree: number;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAt: number;
}

/** A node's position among results. Plain JSON, so that a later search can continue after it. */
export interface RankKey extends Relevance {
  readonly id: NodeId;
}

/** The order of results (GRAPH-2), also across graphs: negative if `a` comes before `b`. */
export function compareRank(a: RankKey, b: RankKey): number {
  return compareRelevance(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function compareRelevance(a: Relevance, b: Relevance): number {
  return tiers.indexOf(a.tier) - tiers.indexOf(b.tier) || a.length - b.length || compareStanding(a, b);
}

/** The order within one tier and length. */
function compareStanding(a: Relevance, b: Relevance): number {
  return b.degree - a.degree || b.updatedAt - a.updatedAt;
}

/** Whether shorter names come first in a tier. */
const isByLength = (tier: Tier): boolean => matchOf(tier) === "words";

/**
 * Falls along the order of results. Each kind of match has a fifth of the range, in which the score grows with the degree. In
 * `words`, the upper half is for words that stand together; in each half, a length has a part, in which the score grows.
 */
function scoreOf({ tier, length, degree }: Relevance): number {
  const match = matchOf(tier);
  const worseKinds = matchKinds.length - 1 - matchKinds.indexOf(match);
  const byDegree = (degree + 1) / (degree + 2);
  const part = isByLength(tier)
    ? (Number(tier === "together") + 1 / (length + 1) + byDegree * (1 / length - 1 / (length + 1))) / 2
    : byDegree;
  return (worseKinds + part) / matchKinds.length;
}

const pool = new SetPool();

/**
 * The nodes whose titles or aliases match a query (GRAPH-2, GRAPH-3), best first: the first `limit` of those after
 * `after`. A node counts once, by its best match. Successive pages contain every match exactly once. Worse kinds of match
 * are computed only if better ones leave the page unfilled.
 */
export function search(graph: Graph, { query, filter = {}, after, limit }: SearchOptions): SearchHit[] {
  const { titles } = graph.columns;
  const matching = readQuery(graph, query);
  if (matching === null) return [];
  const filtering = new Filtering(graph, filter);
  const hits: SearchHit[] = [];
  for (const [number, tier] of tiers.entries()) {
    if (hits.length === limit) break;
    if (after !== undefined && number < tiers.indexOf(after.tier)) continue;
    const betterTier = tiers[number - 1];
    const better = betterTier === undefined ? pool.take(titles.nodes.length) : matching[betterTier]();
    const found = matching[tier]();
    if (found === better) continue;
    const start = after?.tier === tier ? { rank: firstRankAfter(graph, after), length: after.length } : first;
    const candidates = { found, better, filtering, start, room: limit - hits.length };
    const taken = isByLength(tier) ? shortestNodes(titles, candidates) : firstNodes(titles, candidates);
    hits.push(...taken.map(({ node, length }) => hitOf(graph, node, { tier, length })));
  }
  return hits;
}

/** The titles of a tier, and which of its nodes are wanted: the first `room` that pass the filter, from the start on. */
interface Candidates {
  readonly found: RankSet;
  readonly better: RankSet;
  readonly filtering: Filtering;
  readonly start: Start;
  readonly room: number;
}

/** The beginning of a page. Where shorter names come first: among those of this length at this rank, or among longer ones. */
interface Start {
  readonly rank: number;
  readonly length: number;
}

const first: Start = { rank: 0, length: 0 };

/** A node of a page, and the length that decides its position: 0 where lengths do not count. */
interface Taken {
  readonly node: number;
  readonly length: number;
}

/** The nodes of a tier in the order of ranks. */
function firstNodes({ nodes }: TitleIndex, candidates: Candidates): Taken[] {
  const { better, filtering, start, room } = candidates;
  const taken: Taken[] = [];
  let found = filtering.narrowed(candidates.found);
  let rank = found.next(start.rank, better);
  while (rank >= 0 && taken.length < room) {
    const node = at(nodes, rank);
    const { from, to } = ranksOfNode(nodes, rank);
    if (!filtering.passes(node)) found = filtering.narrowed(found);
    else if (!better.hasAny(from, to)) taken.push({ node, length: 0 });
    rank = found.next(to, better);
  }
  return taken;
}

/** The nodes of a tier by the length of the shortest name that is in it, then in the order of ranks. */
function shortestNodes({ nodes, lengths }: TitleIndex, candidates: Candidates): Taken[] {
  const { better, filtering, start, room } = candidates;
  const shortest = new Shortest(room);
  const found = filtering.narrowed(candidates.found);
  let next = 0;
  found.eachBut(better, (rank) => {
    if (rank < next || !shortest.accepts(narrowAt(lengths, rank)) || !filtering.mayPass(rank)) return;
    const { from, to } = ranksOfNode(nodes, rank);
    next = to;
    const length = shortestIn(lengths, found, { from, to });
    const isBehind = length > start.length || (length === start.length && from >= start.rank);
    const node = at(nodes, rank);
    if (isBehind && !better.hasAny(from, to) && filtering.passes(node)) shortest.add({ node, length });
  });
  return shortest.taken();
}

/** The first `room` nodes by length, of those that are added in the order of ranks. */
class Shortest {
  readonly #room: number;
  readonly #byLength = new Map<number, Taken[]>();
  #count = 0;
  #longest = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Whether a name of this length can still be among the first. */
  accepts(length: number): boolean {
    return this.#count < this.#room || length < this.#longest;
  }

  add(taken: Taken): void {
    const { length } = taken;
    const same = this.#byLength.get(length);
    if (same === undefined) this.#byLength.set(length, [taken]);
    else same.push(taken);
    this.#count += 1;
    this.#longest = Math.max(this.#longest, length);
    const last = this.#byLength.get(this.#longest)?.length ?? 0;
    if (this.#count - last < this.#room) return;
    this.#byLength.delete(this.#longest);
    this.#count -= last;
    this.#longest = Math.max(...this.#byLength.keys());
  }

  taken(): Taken[] {
    const lengths = [...this.#byLength.keys()].sort((a, b) => a - b);
    return lengths.flatMap((length) => this.#byLength.get(length) ?? []).slice(0, this.#room);
  }
}

/** The length of the shortest name of a set between two ranks. */
function shortestIn(lengths: NarrowColumn, found: RankSet, { from, to }: Range): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let rank = from; rank < to; rank += 1)
    if (found.has(rank)) shortest = Math.min(shortest, narrowAt(lengths, rank));
  return shortest;
}

/** Reads a query of titles; null if it can match none. */
function readQuery({ columns, frequentSets: frequent }: Graph, query: string): TitleQuery | null {
  pool.reset();
  return titleQuery(columns.titles, query, { capacity: columns.titles.nodes.length, pool, frequent });
}

/** The number of rejected titles after which the set of all nodes that pass is computed. Fewer are tested one by one. */
const maxRejected = 2048;

/** Keeps a search to the nodes of a filter. */
class Filtering {
  readonly #graph: Graph;
  readonly #filter: NodeFilter;
  readonly #nodes: FilteredNodes | null;
  #rejected = 0;
  #passing: RankSet | null = null;

  constructor(graph: Graph, filter: NodeFilter) {
    this.#graph = graph;
    this.#filter = filter;
    this.#nodes = filteredNodes(graph, filter);
  }

  passes(node: number): boolean {
    const passes = this.#nodes === null || this.#nodes.has(node);
    if (!passes) this.#rejected += 1;
    return passes;
  }

  /** Whether the node of a title can pass: tells exactly after `maxRejected` rejections, and says yes until then. */
  mayPass(rank: number): boolean {
    if (this.#nodes === null || this.#rejected < maxRejected) return true;
    this.#passing ??= this.#passingTitles(this.#nodes);
    return this.#passing.has(rank);
  }

  /** The titles of a set whose nodes pass, after `maxRejected` rejections; the same set until then. */
  narrowed(found: RankSet): RankSet {
    if (this.#nodes === null || this.#rejected < maxRejected) return found;
    this.#passing ??= this.#passingTitles(this.#nodes);
    const narrowed = pool.copy(found);
    narrowed.intersect(this.#passing);
    return narrowed;
  }

  #passingTitles(filtered: FilteredNodes): RankSet {
    const { columns, frequentSets } = this.#graph;
    const { nodes, ranks } = columns.titles;
    const name = `filter ${JSON.stringify(this.#filter)}`;
    const known = frequentSets.get(name);
    if (known !== undefined) return known;
    const passing = new RankSet(nodes.length);
    filtered.each((node) => {
      for (let rank = at(ranks, node); nodes[rank] === node; rank += 1) passing.add(rank);
    });
    frequentSets.set(name, passing);
    return passing;
  }
}

/** The ranks of the title and the aliases of the node at a rank. */
function ranksOfNode(nodes: Uint32Array, rank: number): Range {
  const node = at(nodes, rank);
  let [from, to] = [rank, rank + 1];
  while (from > 0 && at(nodes, from - 1) === node) from -= 1;
  while (to < nodes.length && at(nodes, to) === node) to += 1;
  return { from, to };
}

/** The first rank that comes after a key, within its tier and length. */
function firstRankAfter({ columns }: Graph, { id, ...relevance }: RankKey): number {
  const { nodes } = columns.titles;
  // Among nodes of equal relevance, those with greater ids come after it.
  const firstNode = countUpTo(columns.ids, id);
  return firstPosition(nodes, (node) => {
    const difference = compareStanding(relevanceAt(columns, node, relevance), relevance);
    return difference > 0 || (difference === 0 && node >= firstNode);
  });
}

/** How well a node's best name matches. */
type NameMatch = Pick<Relevance, "tier" | "length">;

function relevanceAt(columns: GraphColumns, node: number, { tier, length }: NameMatch): Relevance {
  const { updatedAt } = columns.nodes;
  return { tier, length, degree: degreeAt(columns, node), updatedAt: floatAt(updatedAt, node) };
}

function hitOf(graph: Graph, index: number, name: NameMatch): SearchHit {
  const node = graph.nodeAt(index);
  const key = { ...relevanceAt(graph.columns, index, name), id: node.id };
  return { node, score: scoreOf(key), match: matchOf(name.tier), key };
}

/** All nodes that match a query. The next search or call invalidates it: see the rule on scratch memory at `Graph`. */
export interface Matches {
  /** Visits the matching nodes: more than once if several of a node's titles match. */
  readonly eachNode: (visit: (node: number) => void) => void;
  /** The best match of a matching node. */
  readonly bestOf: (node: number) => { readonly match: MatchKind; readonly score: number };
}

export function matchesOf(graph: Graph, query: string): Matches {
  const { columns } = graph;
  const { nodes, ranks, lengths } = columns.titles;
  const matching = readQuery(graph, query);
  return {
    eachNode: (visit) => matching?.fuzzy().each((rank) => visit(at(nodes, rank))),
    bestOf(node) {
      const names = ranksOfNode(nodes, at(ranks, node));
      const tier = tiers.find((one) => matching?.[one]().hasAny(names.from, names.to)) ?? "fuzzy";
      const length = matching && isByLength(tier) ? shortestIn(lengths, matching[tier](), names) : 0;
      return { match: matchOf(tier), score: scoreOf(relevanceAt(columns, node, { tier, length })) };
    },
  };
}
