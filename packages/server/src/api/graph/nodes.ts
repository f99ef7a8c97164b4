import { Nodes, NodesQuery, Problem, ref } from "@clew/contract";
import type { App } from "../../http/server.ts";
import { nodes } from "../../operations/nodes.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/nodes/?ids=`: several nodes at once (GRAPH-6). */
export function nodesRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "nodes");
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        querystring: NodesQuery,
        response: { 200: ref(Nodes), default: ref(Problem) },
      },
    },
    (request) => nodes(contextOf(services, request), request.query),
  );
}
