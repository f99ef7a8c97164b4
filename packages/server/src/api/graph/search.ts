import { Problem, ref, SearchQuery, SearchResults } from "@clew/contract";
import type { App } from "../../http/server.ts";
import { whenThere } from "../../model/awaitable.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { search } from "../../operations/search/search.ts";
import { linkNextPage } from "../next-link.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/search/`: nodes by title (GRAPH-2, GRAPH-3). */
export function searchRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "search");
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
      whenThere(search(contextOf(services, request), request.query), (results) =>
        linkNextPage(request, reply, results),
      ),
  );
}
