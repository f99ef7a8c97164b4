import { Problem, ref, SearchQuery, SearchResults } from "@clew/contract";
import { whenThere } from "../../model/awaitable.ts";
import type { Reading } from "../../operations/asking.ts";
import { search } from "../../operations/search/search.ts";
import type { App } from "../app-instance.ts";
import { linkNextPage } from "../next-link.ts";
import { askingOf, routeOf } from "./door.ts";

/** `GET …/search/`: nodes by title (GRAPH-2, GRAPH-3). */
export function searchRoute(app: App, reading: Reading): void {
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
    (request, reply) =>
      whenThere(search(askingOf(reading, request), request.query), (results) =>
        linkNextPage(request, reply, results),
      ),
  );
}
