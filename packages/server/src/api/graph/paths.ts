import { Paths, PathsQuery, Problem, ref } from "@clew/contract";
import type { App } from "../../http/server.ts";
import { paths } from "../../operations/paths.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/paths/`: the shortest simple paths between two nodes (GRAPH-8). */
export function pathsRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "paths");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: PathsQuery, response: { 200: ref(Paths), default: ref(Problem) } },
    },
    (request) => paths(contextOf(services, request), request.query),
  );
}
