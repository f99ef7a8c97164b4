import { type MatchKind, matchKinds } from "@clew/contract/vocabulary";
import { at, firstPosition, floatAt } from "../columns.ts";
import { degreeAt, type Graph, type GraphColumns } from "../graph.ts";
import type { GraphNode, NodeId } from "../node.ts";
import { countUpTo } from "../node-ids.ts";
import type { Range } from "../packed-texts.ts";
import { RankSet, SetPool } from "../rank-set.ts";
import { type FilteredNodes, filteredNodes, type NodeFilter } from "./node-filter.ts";
import { type TitleQuery, titleQuery } from "./title-query.ts";

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
  readonly match: MatchKind;
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
  return (
    matchKinds.indexOf(a.match) - matchKinds.indexOf(b.match) ||
    b.degree - a.degree ||
    b.updatedAt - a.updatedAt
  );
}

/** Falls along the order of results: each kind of match has a fifth of the range, in which it grows with the degree. */
function scoreOf({ match, degree }: Relevance): number {
  const worseKinds = matchKinds.length - 1 - matchKinds.indexOf(match);
  return (worseKinds + (degree + 1) / (degree + 2)) / matchKinds.length;
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
  for (const [kind, match] of matchKinds.entries()) {
    if (hits.length === limit) break;
    if (after !== undefined && kind < matchKinds.indexOf(after.match)) continue;
    const betterKind = matchKinds[kind - 1];
    const better = betterKind === undefined ? pool.take(titles.nodes.length) : matching[betterKind]();
    const start = after?.match === match ? firstRankAfter(graph, after) : 0;
    const room = limit - hits.length;
    const nodes = firstNodes(titles.nodes, { found: matching[match](), better, filtering, start, room });
    hits.push(...nodes.map((node) => hitOf(graph, match, node)));
  }
  return hits;
}

/** The nodes of titles that match equally well: the first ones from a rank on that pass the filter. */
function firstNodes(
  nodes: Uint32Array,
  options: { found: RankSet; better: RankSet; filtering: Filtering; start: number; room: number },
): number[] {
  const { better, filtering, room } = options;
  const taken: number[] = [];
  let found = filtering.narrowed(options.found);
  let rank = found.next(options.start, better);
  while (rank >= 0 && taken.length < room) {
    const node = at(nodes, rank);
    const { from, to } = ranksOfNode(nodes, rank);
    if (!filtering.passes(node)) found = filtering.narrowed(found);
    else if (!better.hasAny(from, to)) taken.push(node);
    rank = found.next(to, better);
  }
  return taken;
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

/** The first rank that comes after a key, within its kind of match. */
function firstRankAfter({ columns }: Graph, { id, ...relevance }: RankKey): number {
  const { nodes } = columns.titles;
  // Among nodes of equal relevance, those with greater ids come after it.
  const firstNode = countUpTo(columns.ids, id);
  return firstPosition(nodes, (node) => {
    const difference = compareRelevance(relevanceAt(columns, node, relevance.match), relevance);
    return difference > 0 || (difference === 0 && node >= firstNode);
  });
}

function relevanceAt(columns: GraphColumns, node: number, match: MatchKind): Relevance {
  return { match, degree: degreeAt(columns, node), updatedAt: floatAt(columns.nodes.updatedAt, node) };
}

function hitOf(graph: Graph, match: MatchKind, index: number): SearchHit {
  const node = graph.nodeAt(index);
  const key = { ...relevanceAt(graph.columns, index, match), id: node.id };
  return { node, score: scoreOf(key), match, key };
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
  const { nodes, ranks } = columns.titles;
  const matching = readQuery(graph, query);
  return {
    eachNode: (visit) => matching?.fuzzy().each((rank) => visit(at(nodes, rank))),
    bestOf(node) {
      const { from, to } = ranksOfNode(nodes, at(ranks, node));
      const match = matchKinds.find((kind) => matching?.[kind]().hasAny(from, to)) ?? "fuzzy";
      return { match, score: scoreOf(relevanceAt(columns, node, match)) };
    },
  };
}
