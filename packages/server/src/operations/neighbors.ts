import { edgeTypes, graphLimits, type Neighbors, type NeighborsQuery, nodeTypes } from "@clew/contract";
import { neighbors as walkToNeighbors } from "../graph/walk/neighbors.ts";
import { type Awaitable, whenThere } from "../model/awaitable.ts";
import type { Connection } from "../model/connection.ts";
import { presentNeighbors } from "../present/neighbors.ts";
import { currentGraphs, graphsOfEditions, type ReadableGraph } from "../publication/readable.ts";
import { type Asking, askedOf, connectionsFor, type Reading } from "./asking.ts";
import { wordsOf } from "./comma-list.ts";
import { listBinding } from "./list-binding.ts";
import { nodeAmong, readNodeId } from "./node-ids.ts";
import { walkBudget } from "./walk-budget.ts";

/** Where a page of neighbours ended: in which edition of which connection's graph, and after how many. */
interface Position {
  readonly connection: number;
  readonly edition: number;
  readonly offset: number;
}

/** The neighbours of a node, nearest first (GRAPH-7). */
export function neighbors(
  asking: Asking,
  about: { readonly id: string },
  { direction = "both", edge_type, node_type, depth = 1, limit, cursor }: NeighborsQuery,
): Awaitable<Neighbors> {
  const { cursors, answers, monotonic } = asking.reading;
  const id = readNodeId(about.id);
  return whenThere(connectionsFor(asking), (readable) => {
    const binding = () =>
      listBinding(asking, readable, {
        operation: "neighbors",
        parameters: [id, direction, edge_type ?? null, node_type ?? null, depth],
      });
    const begun = cursor === undefined ? null : positionOf(cursors.decode(binding(), cursor));
    return whenThere(graphsToWalk(asking.reading, readable, begun), (walkable) => {
      const placed = nodeAmong(walkable, id);
      const { connection, graph, edition } = placed.source;
      const offset = begun?.offset ?? 0;
      return answers.remember(askedOf(asking, readable, walkable), () => {
        const walk = walkToNeighbors(graph, id, {
          direction,
          edgeTypes: wordsOf(edge_type, edgeTypes),
          nodeTypes: wordsOf(node_type, nodeTypes),
          depth,
          offset,
          limit: limit ?? graphLimits.neighbors.standard,
          budget: walkBudget(monotonic),
        });
        const position = { connection: connection.id, edition, offset: offset + walk.items.length };
        const nextCursor = walk.more ? cursors.encode(binding(), position) : null;
        const size = walk.items.reduce((sum, { edges }) => sum + 1 + edges.length, 1);
        return { message: presentNeighbors(placed, walk, nextCursor), size, isLasting: !walk.truncated };
      });
    });
  });
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
