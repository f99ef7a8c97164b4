import { closed, NodeDetail, Problem, ref } from "@clew/contract";
import { Type } from "typebox";
import type { App } from "../../http/server.ts";
import { node } from "../../operations/node.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/nodes/<id>/`: one node in detail (GRAPH-4). */
export function nodeRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "node");
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        params: NodePath,
        querystring: closed({}),
        response: { 200: ref(NodeDetail), default: ref(Problem) },
      },
    },
    (request) => node(contextOf(services, request), request.params),
  );
}

/** The path of whatever is about one node. */
export const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});
