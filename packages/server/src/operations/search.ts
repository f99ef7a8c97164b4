import { graphLimits, type NodeType, type SearchQuery, type SearchResults } from "@clew/contract";
import { compareRank, type RankKey, type SearchHit, search as searchGraph } from "@clew/graph";
import {
  connectionsWithin,
  currentGraphs,
  graphsOfVersions,
  type ReadableGraph,
} from "../graph-cache/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { presentSearchHit } from "../present/graph.ts";
import { listCursors, type RequestContext, readableConnectionsOf } from "./request-context.ts";

/** The end of a page of results, and the versions of the graphs. */
interface Position {
  readonly versions: readonly number[];
  readonly after: RankKey;
}

/** Nodes by title, in one workspace or all (GRAPH-2, GRAPH-3). */
export async function search(
  ctx: RequestContext,
  { q, workspace_id, type, limit = graphLimits.search.standard, cursor }: SearchQuery,
): Promise<SearchResults> {
  const { graphs } = ctx.services;
  const query = readQuery(q);
  const readable = readableConnectionsOf(ctx);
  const connections = connectionsWithin(readable, workspace_id);
  const cursors = listCursors<Position>(ctx, readable, {
    operation: "search",
    version: 1,
    parameters: [query, workspace_id ?? null, type ?? null],
  });
  const position = cursor === undefined ? null : cursors.decode(cursor);
  const sources = position
    ? await graphsOfVersions(graphs, connections, position.versions)
    : await currentGraphs(graphs, connections);
  const { hits, next } = searchGraphs(sources, { query, type, after: position?.after, limit });
  const versions = sources.map(({ version }) => version);
  return {
    items: hits.map(presentSearchHit),
    next_cursor: next && cursors.encode({ versions, after: next }),
  };
}

/** The query, trimmed. Throws `ApiError` `invalid_request` unless it has 1–200 code points (GRAPH-2). */
function readQuery(text: string): string {
  const query = text.trim();
  const length = [...query].length;
  if (length >= 1 && length <= graphLimits.queryLength) return query;
  throw new ApiError("invalid_request", "The search text is empty or too long.", {
    faults: [{ path: "?q", message: `must have 1–${graphLimits.queryLength} characters after trimming` }],
  });
}

interface Wanted {
  readonly query: string;
  readonly type: NodeType | undefined;
  /** The rank of the last hit of the page before. */
  readonly after: RankKey | undefined;
  readonly limit: number;
}

type SourcedHit = SearchHit & { readonly source: ReadableGraph };

/**
 * One page of the hits in several graphs, in one order of rank (GRAPH-2). `next` is the rank after which the next page
 * begins, null on the last page.
 */
function searchGraphs(
  sources: readonly ReadableGraph[],
  { query, type, after, limit }: Wanted,
): { hits: SourcedHit[]; next: RankKey | null } {
  const found = sources
    .flatMap((source) =>
      searchGraph(source.graph, { query, type, after, limit: limit + 1 }).map((hit) => ({ ...hit, source })),
    )
    .sort((a, b) => compareRank(a.key, b.key));
  const hits = found.slice(0, limit);
  return { hits, next: found.length > limit ? (hits.at(-1)?.key ?? null) : null };
}
