import { Nodes, NodesQuery, Problem, ref } from "@clew/contract";
import type { Reading } from "../../operations/asking.ts";
import { nodes } from "../../operations/nodes.ts";
import type { App } from "../app-instance.ts";
import { askingOf, routeOf } from "./door.ts";

/** `GET …/nodes/?ids=`: several nodes at once (GRAPH-6). */
export function nodesRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "nodes");
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
    (request) => nodes(askingOf(reading, request), request.query),
  );
}
