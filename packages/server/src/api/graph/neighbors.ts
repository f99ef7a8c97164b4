import { Neighbors, NeighborsQuery, Problem, ref } from "@clew/contract";
import type { App } from "../../http/server.ts";
import { whenThere } from "../../model/awaitable.ts";
import { neighbors } from "../../operations/neighbors.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { linkNextPage } from "../next-link.ts";
import { contextOf, routeOf } from "./audience.ts";
import { NodePath } from "./node.ts";

/** `GET …/nodes/<id>/neighbors/`: the neighbours of a node, nearest first (GRAPH-7). */
export function neighborsRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "neighbors");
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        params: NodePath,
        querystring: NeighborsQuery,
        response: { 200: ref(Neighbors), default: ref(Problem) },
      },
    },
    (request, reply) =>
      whenThere(neighbors(contextOf(services, request), request.params, request.query), (page) =>
        linkNextPage(request, reply, page),
      ),
  );
}
