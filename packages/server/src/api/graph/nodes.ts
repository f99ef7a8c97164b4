import { graphLimits, Nodes, NodesQuery, Problem, ref } from "@clew/contract";
import { type NodeId, parseNodeId } from "../../model/node-id.ts";
import { Refusal } from "../../model/refusal.ts";
import { presentNode } from "../../present/node.ts";
import { type PlacedNode, placeOf } from "../../publication/readable.ts";
import type { App } from "../app-instance.ts";
import { routeOf } from "./door.ts";
import { malformedIds } from "./node-ids.ts";
import { graphsFor, type Reading } from "./reading.ts";

/** `GET …/nodes/?ids=`: several nodes at once, in the order asked for (GRAPH-6). */
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
    async (request) => {
      const ids = readIds(request.query.ids);
      const readable = await graphsFor(reading, request);
      const found = new Map<NodeId, PlacedNode>();
      for (const id of ids) {
        const placed = placeOf(readable, id);
        if (placed) found.set(id, placed);
      }
      return {
        items: [...found.values()].map(({ source, node }) => presentNode(source, node)),
        missing: ids.filter((id) => !found.has(id)),
      };
    },
  );
}

/** Distinct ids in the order of their first mention. */
function readIds(list: string): NodeId[] {
  const ids = new Set<NodeId>();
  for (const text of list.split(",")) {
    const id = parseNodeId(text.trim());
    if (id === null) throw malformedIds(["ids"]);
    ids.add(id);
  }
  if (ids.size <= graphLimits.nodes.maximum) return [...ids];
  const message = `must name at most ${graphLimits.nodes.maximum} nodes`;
  throw new Refusal("invalid_request", "These are too many nodes for one request.", {
    faults: [{ path: "?ids", message }],
  });
}
