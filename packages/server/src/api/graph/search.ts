import { graphLimits, Problem, ref, SearchQuery, SearchResults } from "@clew/contract";
import type { RankKey } from "../../../graph/search/search.ts";
import { whenThere } from "../../../model/awaitable.ts";
import { presentSearchHit } from "../../../present/search-hit.ts";
import { currentGraphs, graphsOfEditions, within } from "../../../publication/readable.ts";
import type { App } from "../../app-instance.ts";
import { nextLink } from "../../next-link.ts";
import { routeOf } from "../door.ts";
import { listBinding } from "../list-binding.ts";
import { askedOf, connectionsFor, type Reading } from "../reading.ts";
import { readQuery } from "./read-query.ts";
import { searchGraphs } from "./search-graphs.ts";

/** Where a page of results ended, and in which editions of the graphs. */
interface Position {
  readonly editions: readonly number[];
  readonly after: RankKey;
}

/** `GET …/search/`: nodes by title, in one workspace or all (GRAPH-2, GRAPH-3). */
export function searchRoute(app: App, reading: Reading): void {
  const { graphs, cursors } = reading;
  const { path, summary, config } = routeOf(reading.door, "search");
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        querystring: SearchQuery,
        response: { 200: ref(SearchResults), default: ref(Problem) },
      },
    },
    (request, reply) => {
      const { workspace_id, type, limit = graphLimits.search.standard, cursor } = request.query;
      const query = readQuery(request.query.q);
      return whenThere(connectionsFor(reading, request), (readable) => {
        const searched = within(readable, workspace_id);
        const binding = () =>
          listBinding(reading, request, readable, {
            operation: "search",
            parameters: [query, workspace_id ?? null, type ?? null],
          });
        const begun = cursor === undefined ? null : positionOf(cursors.decode(binding(), cursor));
        const graphsToSearch = begun
          ? graphsOfEditions(graphs, searched, begun.editions)
          : currentGraphs(graphs, searched);
        return whenThere(graphsToSearch, (sources) => {
          const message = reading.answers.remember(askedOf(reading, request, sources), () => {
            const { hits, next } = searchGraphs(sources, { query, type, after: begun?.after, limit });
            const position = next && { editions: sources.map(({ edition }) => edition), after: next };
            const items = hits.map(presentSearchHit);
            const nextCursor = position && cursors.encode(binding(), position);
            return { message: { items, next_cursor: nextCursor }, size: items.length, isLasting: true };
          });
          const { next_cursor } = message;
          if (next_cursor !== null) reply.header("link", nextLink(request.url, "cursor", next_cursor));
          return message;
        });
      });
    },
  );
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function positionOf(decoded: unknown): Position {
  return decoded as Position;
}
