import { edgeTypes, graphLimits, Neighbors, NeighborsQuery, nodeTypes, Problem, ref } from "@clew/contract";
import { neighbors } from "../../graph/walk/neighbors.ts";
import { type Awaitable, whenThere } from "../../model/awaitable.ts";
import type { Connection } from "../../model/connection.ts";
import { presentNeighbors } from "../../present/neighbors.ts";
import { currentGraphs, graphsOfEditions, type ReadableGraph } from "../../publication/readable.ts";
import type { App } from "../app-instance.ts";
import { nextLink } from "../next-link.ts";
import { wordsOf } from "./comma-list.ts";
import { routeOf } from "./door.ts";
import { listBinding } from "./list-binding.ts";
import { NodePath } from "./node.ts";
import { idInPath, nodeAmong } from "./node-ids.ts";
import { askedOf, connectionsFor, type Reading } from "./reading.ts";
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
    (request, reply) => {
      const { direction = "both", edge_type, node_type, depth = 1, cursor } = request.query;
      const { limit = graphLimits.neighbors.standard } = request.query;
      const id = idInPath(request.params.id);
      return whenThere(connectionsFor(reading, request), (readable) => {
        const binding = () =>
          listBinding(reading, request, readable, {
            operation: "neighbors",
            parameters: [id, direction, edge_type ?? null, node_type ?? null, depth],
          });
        const begun = cursor === undefined ? null : positionOf(cursors.decode(binding(), cursor));
        return whenThere(graphsToWalk(reading, readable, begun), (walkable) => {
          const placed = nodeAmong(walkable, id);
          const { connection, graph, edition } = placed.source;
          const offset = begun?.offset ?? 0;
          const message = reading.answers.remember(askedOf(reading, request, walkable), () => {
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
            const nextCursor = walk.more ? cursors.encode(binding(), position) : null;
            const size = walk.items.reduce((sum, { edges }) => sum + 1 + edges.length, 1);
            return { message: presentNeighbors(placed, walk, nextCursor), size, isLasting: !walk.truncated };
          });
          const { next_cursor } = message;
          if (next_cursor !== null) reply.header("link", nextLink(request.url, "cursor", next_cursor));
          return message;
        });
      });
    },
  );
}

/** The graph that a list was begun in, or else the newest of all. */
function graphsToWalk(
  { graphs }: Reading,
  readable: readonly Connection[],
  begun: Position | null,
): Awaitable<readonly ReadableGraph[]> {
  if (!begun) return currentGraphs(graphs, readable);
  const connections = readable.filter((connection) => connection.id === begun.connection);
  return graphsOfEditions(graphs, connections, [begun.edition]);
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function positionOf(decoded: unknown): Position {
  return decoded as Position;
}
