import type { NodeType } from "@clew/contract";
import { compareRank, type RankKey, type SearchHit, search } from "@clew/graph";
import type { ReadableGraph } from "../../graph-cache/readable.ts";

/** A matching node and the graph that it stands in. */
export interface PlacedHit extends SearchHit {
  readonly source: ReadableGraph;
}

interface Wanted {
  readonly query: string;
  readonly type: NodeType | undefined;
  /** The rank of the last hit of the page before. */
  readonly after: RankKey | undefined;
  readonly limit: number;
}

/**
 * One page of the hits in several graphs, in one order of rank (GRAPH-2). `next` is the rank after which the next
 * page begins, null where nothing follows.
 */
export function searchGraphs(
  readable: readonly ReadableGraph[],
  { query, type, after, limit }: Wanted,
): { hits: PlacedHit[]; next: RankKey | null } {
  const found = readable
    .flatMap((source): PlacedHit[] =>
      search(source.graph, { query, type, after, limit: limit + 1 }).map((hit) => ({ ...hit, source })),
    )
    .sort((a, b) => compareRank(a.key, b.key));
  const hits = found.slice(0, limit);
  return { hits, next: found.length > limit ? (hits.at(-1)?.key ?? null) : null };
}
