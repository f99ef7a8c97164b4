import { closed, NodeDetail, Problem, ref } from "@clew/contract";
import { Type } from "typebox";
import type { Reading } from "../../operations/asking.ts";
import { node } from "../../operations/node.ts";
import type { App } from "../app-instance.ts";
import { askingOf, routeOf } from "./door.ts";

/** `GET …/nodes/<id>/`: one node in detail (GRAPH-4). */
export function nodeRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "node");
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
    (request) => node(askingOf(reading, request), request.params),
  );
}

/** The path of whatever is about one node. */
export const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});
