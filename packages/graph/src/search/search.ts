import { type MatchKind, matchKinds, type NodeType } from "@clew/contract";
import { rowLength } from "../adjacency.ts";
import { at, floatAt } from "../columns.ts";
import type { Graph, GraphColumns } from "../graph.ts";
import type { GraphNode, NodeId } from "../node.ts";
import { nodeTypeAt } from "../node-columns.ts";
import { countUpTo } from "../node-ids.ts";
import type { Range } from "./packed-texts.ts";
import { SetPool } from "./rank-set.ts";
import { titleQuery } from "./title-query.ts";

export interface SearchOptions {
  readonly query: string;
  /** Nodes of all types if absent. */
  readonly type?: NodeType | undefined;
  /** Where to continue: the key of the last item so far. It may come from another graph, or its node may be gone. */
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

/** What decides a node's position among results, before its id. */
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
export function search(graph: Graph, { query, type, after, limit }: SearchOptions): SearchHit[] {
  const { nodes, titles } = graph.columns;
  const isWanted = (node: number) => type === undefined || nodeTypeAt(nodes, node) === type;
  pool.reset();
  const matching = titleQuery(titles, query, {
    capacity: titles.nodes.length,
    pool,
    frequent: graph.frequentSets,
  });
  if (matching === null) return [];
  const hits: SearchHit[] = [];
  for (const [kind, match] of matchKinds.entries()) {
    if (hits.length === limit) break;
    if (after !== undefined && kind < matchKinds.indexOf(after.match)) continue;
    const found = matching[match]();
    const betterKind = matchKinds[kind - 1];
    const better = betterKind === undefined ? pool.take(titles.nodes.length) : matching[betterKind]();
    const start = after?.match === match ? firstRankAfter(graph, after) : 0;
    let rank = found.next(start, better);
    while (rank >= 0 && hits.length < limit) {
      const node = at(titles.nodes, rank);
      const { from, to } = ranksOfNode(titles.nodes, rank);
      if (isWanted(node) && !better.hasAny(from, to)) hits.push(hitOf(graph, match, node));
      rank = found.next(to, better);
    }
  }
  return hits;
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
function firstRankAfter(graph: Graph, after: RankKey): number {
  const { ids, nodes, titles } = graph.columns;
  // Among nodes of equal relevance, those with greater ids come after it.
  const lastNode = countUpTo(ids, after.id) - 1;
  let [low, high] = [0, titles.nodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const node = at(titles.nodes, middle);
    const relevance = {
      match: after.match,
      degree: degreeAt(graph.columns, node),
      updatedAt: floatAt(nodes.updatedAt, node),
    };
    if ((compareRelevance(relevance, after) || node - lastNode) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function degreeAt({ in: incoming, out: outgoing }: GraphColumns, node: number): number {
  return rowLength(incoming, node) + rowLength(outgoing, node);
}

function hitOf(graph: Graph, match: MatchKind, index: number): SearchHit {
  const node = graph.nodeAt(index);
  const { id, updatedAt } = node;
  const key = { match, degree: degreeAt(graph.columns, index), updatedAt, id };
  return { node, score: scoreOf(key), match, key };
}
