import { type MatchKind, matchKinds, type NodeType } from "@clew/contract";
import { at, timeAt } from "../column.ts";
import type { Order } from "../counting-sort.ts";
import type { Graph } from "../graph.ts";
import type { GraphNode } from "../node.ts";
import { nodeTypeAt } from "../node-columns.ts";
import { countUpTo } from "../node-ids.ts";
import { compareRelevance, type RankKey, scoreOf } from "./ranking.ts";
import { SetPool } from "./set-pool.ts";
import type { Range } from "./sorted-positions.ts";
import { titleQuery } from "./title-query.ts";

export { compareRank, type RankKey } from "./ranking.ts";

export interface SearchOptions {
  readonly query: string;
  /** Nodes of all types where absent. */
  readonly type?: NodeType | undefined;
  /** Where to go on: the key of the last item so far. It need not be of this graph, or a node any more. */
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

const pool = new SetPool();

/**
 * The nodes whose titles or aliases match a query (GRAPH-2, GRAPH-3), best first; the best match of a node counts. Of all that come after `after`, the first
 * `limit`: pages taken one after the other hold every match once. Worse kinds of match are looked for only when better
 * ones leave the page unfilled.
 */
export function search(graph: Graph, { query, type, after, limit }: SearchOptions): SearchHit[] {
  const { nodes, titles } = graph.columns;
  const isWanted = (node: number) => type === undefined || nodeTypeAt(nodes, node) === type;
  pool.reset();
  const titlesThat = titleQuery(titles, query, pool);
  if (titlesThat === null) return [];
  const hits: SearchHit[] = [];
  for (const [rank, match] of matchKinds.entries()) {
    if (hits.length === limit) break;
    if (after !== undefined && rank < matchKinds.indexOf(after.match)) continue;
    const found = titlesThat[match]();
    const betterKind = matchKinds[rank - 1];
    const better = betterKind === undefined ? pool.take(titles.nodes.length) : titlesThat[betterKind]();
    const start = after?.match === match ? firstPlaceAfter(graph, after) : 0;
    let place = found.next(start, better);
    while (place >= 0 && hits.length < limit) {
      const node = at(titles.nodes, place);
      const { from, to } = placesOfNode(titles.nodes, place);
      if (isWanted(node) && !better.hasAny(from, to)) hits.push(hitOf(graph, match, node));
      place = found.next(to, better);
    }
  }
  return hits;
}

/** The places of the node that stands at a place: of its title and its aliases. */
function placesOfNode(nodes: Order, place: number): Range {
  const node = at(nodes, place);
  let [from, to] = [place, place + 1];
  while (from > 0 && at(nodes, from - 1) === node) from -= 1;
  while (to < nodes.length && at(nodes, to) === node) to += 1;
  return { from, to };
}

/** The first place that comes after a key, within a kind of match. */
function firstPlaceAfter(graph: Graph, after: RankKey): number {
  const { ids, titles } = graph.columns;
  // A node that stands as `after` does comes after it from the next greater id on.
  const lastNode = countUpTo(ids, after.id) - 1;
  let [low, high] = [0, titles.nodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const node = at(titles.nodes, middle);
    const standing = { match: after.match, ...standingOf(graph, node) };
    if ((compareRelevance(standing, after) || node - lastNode) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function standingOf(graph: Graph, node: number): { degree: number; updatedAt: number } {
  const { degrees, nodes } = graph.columns;
  const degree = at(degrees.in, node) + at(degrees.out, node);
  return { degree, updatedAt: timeAt(nodes.updatedAt, node) };
}

function hitOf(graph: Graph, match: MatchKind, index: number): SearchHit {
  const node = graph.nodeAt(index);
  const key = { match, ...standingOf(graph, index), id: node.id };
  return { node, score: scoreOf(key), match, key };
}
