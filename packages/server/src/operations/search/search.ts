import { graphLimits, type SearchQuery, type SearchResults } from "@clew/contract";
import type { RankKey } from "@clew/graph";
import { connectionsWithin, currentGraphs, graphsOfVersions } from "../../graph-cache/readable.ts";
import { type Awaitable, whenThere } from "../../model/awaitable.ts";
import { presentSearchHit } from "../../present/search-hit.ts";
import { listBinding } from "../list-binding.ts";
import { cacheKeyOf, type RequestContext, readableConnectionsOf } from "../request-context.ts";
import { readQuery } from "./read-query.ts";
import { searchGraphs } from "./search-graphs.ts";

/** Where a page of results ended, and in which versions of the graphs. */
interface Position {
  readonly versions: readonly number[];
  readonly after: RankKey;
}

/** Nodes by title, in one workspace or all (GRAPH-2, GRAPH-3). */
export function search(
  ctx: RequestContext,
  { q, workspace_id, type, limit = graphLimits.search.standard, cursor }: SearchQuery,
): Awaitable<SearchResults> {
  const { graphs, cursors, responses } = ctx.services;
  const query = readQuery(q);
  return whenThere(readableConnectionsOf(ctx), (readable) => {
    const searched = connectionsWithin(readable, workspace_id);
    const binding = () =>
      listBinding(ctx, readable, {
        operation: "search",
        parameters: [query, workspace_id ?? null, type ?? null],
      });
    const begun = cursor === undefined ? null : positionOf(cursors.decode(binding(), cursor));
    const graphsToSearch = begun
      ? graphsOfVersions(graphs, searched, begun.versions)
      : currentGraphs(graphs, searched);
    return whenThere(graphsToSearch, (sources) =>
      responses.remember(cacheKeyOf(ctx, readable, sources), () => {
        const { hits, next } = searchGraphs(sources, { query, type, after: begun?.after, limit });
        const position = next && { versions: sources.map(({ version }) => version), after: next };
        const items = hits.map(presentSearchHit);
        const nextCursor = position && cursors.encode(binding(), position);
        return { message: { items, next_cursor: nextCursor }, isRepeatable: true };
      }),
    );
  });
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function positionOf(decoded: unknown): Position {
  return decoded as Position;
}
