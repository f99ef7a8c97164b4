import { edgeTypes, graphLimits, Neighbors, NeighborsQuery, nodeTypes, Problem, ref } from "@clew/contract";
import { neighbors } from "../../graph/walk/neighbors.ts";
import type { Connection } from "../../model/connection.ts";
import { presentNeighbors } from "../../present/neighbors.ts";
import { currentGraphs, graphsOfEditions, type PlacedNode } from "../../publication/readable.ts";
import type { App } from "../app-instance.ts";
import { nextLink } from "../next-link.ts";
import { wordsOf } from "./comma-list.ts";
import { routeOf } from "./door.ts";
import { listBinding } from "./list-binding.ts";
import { NodePath } from "./node.ts";
import { idInPath, nodeAmong } from "./node-ids.ts";
import { connectionsFor, type Reading } from "./reading.ts";
import { walkBudget } from "./walk-budget.ts";

/** Where a page of neighbours ended: in which edition of which connection's graph, and after how many. */
interface Position {
  readonly connection: number;
  readonly edition: number;
  readonly offset: number;
}

/** `GET …/nodes/<id>/neighbors/`: the neighbours of a node, nearest first (GRAPH-7). */
export function neighborsRoute(app: App, reading: Reading): void {
  const { cursors } = reading;
  const { path, summary, config } = routeOf(reading.door, "neighbors");
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
    async (request, reply) => {
      const { direction = "both", edge_type, node_type, depth = 1, cursor } = request.query;
      const { limit = graphLimits.neighbors.standard } = request.query;
      const id = idInPath(request.params.id);
      const readable = await connectionsFor(reading, request);
      const binding = listBinding(reading, request, readable, {
        operation: "neighbors",
        parameters: [id, direction, edge_type ?? null, node_type ?? null, depth],
      });
      const begun = cursor === undefined ? null : positionOf(cursors.decode(binding, cursor));
      const placed = await placeIn(reading, readable, id, begun);
      const { connection, graph, edition } = placed.source;
      const offset = begun?.offset ?? 0;
      const walk = neighbors(graph, id, {
        direction,
        edgeTypes: wordsOf(edge_type, edgeTypes),
        nodeTypes: wordsOf(node_type, nodeTypes),
        depth,
        offset,
        limit,
        budget: walkBudget(reading.monotonic),
      });
      const position = { connection: connection.id, edition, offset: offset + walk.items.length };
      const nextCursor = walk.more ? cursors.encode(binding, position) : null;
      if (nextCursor !== null) reply.header("link", nextLink(request.url, "cursor", nextCursor));
      return presentNeighbors(placed, walk, nextCursor);
    },
  );
}

/** The node in the graph that its list was begun in, or else in the newest. */
async function placeIn(
  { graphs }: Reading,
  readable: readonly Connection[],
  id: string,
  begun: Position | null,
): Promise<PlacedNode> {
  if (!begun) return nodeAmong(await currentGraphs(graphs, readable), id);
  const connections = readable.filter((connection) => connection.id === begun.connection);
  return nodeAmong(await graphsOfEditions(graphs, connections, [begun.edition]), id);
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function positionOf(decoded: unknown): Position {
  return decoded as Position;
}
