import { graphLimits, type SearchQuery, type SearchResults } from "@clew/contract";
import { compareRank, type RankKey, search as searchGraph } from "@clew/graph";
import { connectionsWithin, currentGraphs, graphsOfVersions } from "../graph-cache/readable.ts";
import { ApiError } from "../model/api-error.ts";
import { presentNode } from "../present/graph.ts";
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
  const wanted = { query, type, after: position?.after, limit: limit + 1 };
  const found = sources
    .flatMap((source) => searchGraph(source.graph, wanted).map((hit) => ({ ...hit, source })))
    .sort((a, b) => compareRank(a.key, b.key));
  const hits = found.slice(0, limit);
  const last = found.length > limit ? hits.at(-1) : undefined;
  const versions = sources.map(({ version }) => version);
  return {
    items: hits.map(({ source, node, score, match }) => ({ node: presentNode(source, node), score, match })),
    next_cursor: last ? cursors.encode({ versions, after: last.key }) : null,
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
