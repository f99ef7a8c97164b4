import { edgeTypes, graphLimits, type Neighbors, type NeighborsQuery, nodeTypes } from "@clew/contract";
import {
  type Neighbors as FoundNeighbors,
  type Graph,
  type IndexedEdge,
  neighbors as walkToNeighbors,
} from "@clew/graph";
import { currentGraphs, graphsOfVersions, type ReadableGraph } from "../graph-cache/readable.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import type { Connection } from "../model/connection.ts";
import { presentNeighbors } from "../present/neighbors.ts";
import { AnswerRoom, firstThat, sizeOfEdge, sizeOfNode } from "./answer-size.ts";
import { parseCommaList } from "./comma-list.ts";
import { listBinding } from "./list-binding.ts";
import { nodeAmong, readNodeId } from "./node-ids.ts";
import {
  cacheKeyOf,
  type QueryServices,
  type RequestContext,
  readableConnectionsOf,
} from "./request-context.ts";
import { walkLimits } from "./walk-limits.ts";

/** Where a page of neighbours ended: in which version of which connection's graph, and after how many. */
interface Position {
  readonly connection: number;
  readonly version: number;
  readonly offset: number;
}

/** The neighbours of a node, nearest first (GRAPH-7). */
export function neighbors(
  ctx: RequestContext,
  about: { readonly id: string },
  { direction = "both", edge_type, node_type, depth = 1, limit, cursor }: NeighborsQuery,
): Awaitable<Neighbors> {
  const { cursors, responses, monotonic } = ctx.services;
  const id = readNodeId(about.id);
  return whenThere(readableConnectionsOf(ctx), (readable) => {
    const binding = () =>
      listBinding(ctx, readable, {
        operation: "neighbors",
        parameters: [id, direction, edge_type ?? null, node_type ?? null, depth],
      });
    const begun = cursor === undefined ? null : positionOf(cursors.decode(binding(), cursor));
    return whenThere(graphsToWalk(ctx.services, readable, begun), (walkable) => {
      const placed = nodeAmong(walkable, id);
      const { connection, graph, version } = placed.source;
      const offset = begun?.offset ?? 0;
      return responses.remember(cacheKeyOf(ctx, readable, walkable), () => {
        const walk = walkToNeighbors(graph, id, {
          direction,
          edgeTypes: parseCommaList(edge_type, edgeTypes),
          nodeTypes: parseCommaList(node_type, nodeTypes),
          depth,
          offset,
          limit: limit ?? graphLimits.neighbors.standard,
          limits: walkLimits(monotonic),
        });
        const page = fitted(graph, walk);
        const position = { connection: connection.id, version, offset: offset + page.items.length };
        const nextCursor = page.more ? cursors.encode(binding(), position) : null;
        return { message: presentNeighbors(placed, page, nextCursor), isRepeatable: !page.truncated };
      });
    });
  });
}

/** The items before the first that no longer fits an answer. Where the first alone does not, it loses edges. */
function fitted(graph: Graph, walk: FoundNeighbors): FoundNeighbors {
  const room = new AnswerRoom();
  const takesEdge = (edge: IndexedEdge) => room.takes(sizeOfEdge(graph.edge(edge)));
  const end = walk.items.findIndex(
    ({ node, edges }) => !room.takes(sizeOfNode(graph.nodeAt(node))) || !edges.every(takesEdge),
  );
  if (end < 0) return walk;
  if (end > 0) return { ...walk, items: walk.items.slice(0, end), more: true };
  const whole = new AnswerRoom();
  const items = walk.items.slice(0, 1).map((item) => ({
    ...item,
    edges: firstThat(item.edges, (edge) => whole.takes(sizeOfEdge(graph.edge(edge)))),
  }));
  return { ...walk, items, more: walk.more || walk.items.length > 1, truncated: true };
}

/** The graph that a list was begun in, or else the newest of all. */
function graphsToWalk(
  { graphs }: QueryServices,
  readable: readonly Connection[],
  begun: Position | null,
): Awaitable<readonly ReadableGraph[]> {
  if (!begun) return currentGraphs(graphs, readable);
  const connections = readable.filter((connection) => connection.id === begun.connection);
  return graphsOfVersions(graphs, connections, [begun.version]);
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function positionOf(decoded: unknown): Position {
  return decoded as Position;
}
