import { closed, NodeDetail, Problem, ref } from "@clew/contract";
import { Type } from "typebox";
import { willRepeat } from "../../http/repeated.ts";
import { whenThere } from "../../model/awaitable.ts";
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
    (request) => {
      const id = idInPath(request.params.id);
      return whenThere(graphsFor(reading, request), (readable) => {
        const placed = nodeAmong(readable, id);
        const { connection, edition } = placed.source;
        // The answer is the same until something is committed or another graph is published.
        const answer = database.memory.remember(`node ${connection.id} ${edition} ${id}`, async () => {
          const detail = await readNodeDetail(database.read, connection.id, id);
          return detail && willRepeat(presentNodeDetail(placed, detail));
        });
        return whenThere(answer, (message) => {
          // A sync may have removed the node since its graph was published.
          if (message === null) throw nodeNotFound(id);
          return message;
        });
      });
    },
  );
}

/** The path of whatever is about one node. */
export const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});
