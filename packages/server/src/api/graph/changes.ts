import { Changes, ChangesQuery, Problem, ref } from "@clew/contract";
import type { App } from "../../http/server.ts";
import { changes } from "../../operations/changes/changes.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { linkNextPage } from "../next-link.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/changes/`: what was added, changed or removed since a cursor (GRAPH-11). */
export function changesRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "changes");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: ChangesQuery, response: { 200: ref(Changes), default: ref(Problem) } },
    },
    async (request, reply) => {
      const result = await changes(contextOf(services, request), request.query);
      // Where nothing more is to be told the cursor is for later.
      return result.more ? linkNextPage(request, reply, result) : result;
    },
  );
}
