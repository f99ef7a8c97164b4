import type { MatchKind, NodeType } from "@clew/contract";
import type { GraphNode } from "../../model/node.ts";
import { at, timeAt } from "../column.ts";
import type { Graph } from "../graph.ts";
import { nodeTypeAt } from "../node-columns.ts";
import { countUpTo } from "../node-ids.ts";
import { kindOf } from "./match-rank.ts";
import { compareStanding, type RankKey, type Standing, scoreOf } from "./ranking.ts";
import { titleMatcher } from "./title-matcher.ts";
import { Top } from "./top.ts";

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

/** A node that matches, by its index. */
interface Match extends Standing {
  readonly node: number;
}

const compareMatches = (a: Match, b: Match): number => compareStanding(a, b) || a.node - b.node;

/**
 * The nodes whose titles match a query (GRAPH-2, GRAPH-3), best first. Of all that come after `after`, the first
 * `limit`: pages taken one after the other hold every match once.
 */
export function search(graph: Graph, { query, type, after, limit }: SearchOptions): SearchHit[] {
  const { ids, nodes, degrees, titles } = graph.columns;
  const rankOf = titleMatcher(titles, query);
  if (rankOf === null) return [];
  // A match that stands as `after` does comes after it from the next greater id on.
  const last = after && { ...after, node: countUpTo(ids, after.id) - 1 };
  const top = new Top(limit, compareMatches);
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (type !== undefined && nodeTypeAt(nodes, node) !== type) continue;
    const match = kindOf(rankOf(node));
    if (match === null) continue;
    const degree = at(degrees.in, node) + at(degrees.out, node);
    const found = { match, degree, updatedAt: timeAt(nodes.updatedAt, node), node };
    if (last === undefined || compareMatches(last, found) < 0) top.offer(found);
  }
  return top.sorted().map((found) => hitOf(graph, found));
}

function hitOf(graph: Graph, { match, degree, updatedAt, node: index }: Match): SearchHit {
  const node = graph.nodeAt(index);
  const key = { match, degree, updatedAt, id: node.id };
  return { node, score: scoreOf(key), match, key };
}
