import { closed, NodeDetail, Problem, ref } from "@clew/contract";
import { Type } from "typebox";
import { presentNodeDetail } from "../../present/node-detail.ts";
import { readNodeDetail } from "../../store/graph-reading.ts";
import type { App } from "../app-instance.ts";
import { routeOf } from "./door.ts";
import { idInPath, nodeAmong, nodeNotFound } from "./node-ids.ts";
import { graphsFor, type Reading } from "./reading.ts";

/** `GET …/nodes/<id>/`: one node in detail (GRAPH-4). */
export function nodeRoute(app: App, reading: Reading): void {
  const { door, database } = reading;
  const { path, summary, config } = routeOf(door, "node");
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
    async (request) => {
      const id = idInPath(request.params.id);
      const placed = nodeAmong(await graphsFor(reading, request), id);
      const connectionId = placed.source.connection.id;
      const detail = await database.memory.remember(`node ${connectionId} ${id}`, () =>
        readNodeDetail(database.read, connectionId, id),
      );
      // A sync may have removed the node since its graph was published.
      if (!detail) throw nodeNotFound(id);
      return presentNodeDetail(placed, detail);
    },
  );
}

/** The path of whatever is about one node. */
export const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});
