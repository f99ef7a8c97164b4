import { type GraphNode, type NodeId, nodeAtForge } from "@clew/graph";
import { ApiError, expired } from "../model/api-error.ts";
import type { KnownCaller } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import type { PublishedGraph } from "./graph-cache.ts";
import type { Graphs } from "./graphs.ts";

/** A workspace as one of its users sees it: their connection and its graph. */
export interface ReadableGraph extends PublishedGraph {
  readonly connection: Connection;
}

/**
 * The connections whose graphs a caller may read, oldest first: in a session all that the user may use, with a service
 * token those of its `workspace_ids` (GRAPH-10). Graphs whose grants were withdrawn before `oldestWithdrawal`, in
 * milliseconds since the Unix epoch, are left out (SYNC-8).
 */
export function readableConnections(caller: KnownCaller, oldestWithdrawal: number): readonly Connection[] {
  return caller.connections.filter(
    ({ workspaceId, withdrawnAt }) =>
      (caller.kind === "session" || caller.workspaceIds.includes(workspaceId)) &&
      (withdrawnAt === null || withdrawnAt >= oldestWithdrawal),
  );
}

/** The readable connections to one workspace, or all if none is named. Throws `ApiError` `workspace_not_allowed`. */
export function connectionsWithin(
  connections: readonly Connection[],
  workspaceId: string | undefined,
): readonly Connection[] {
  if (workspaceId === undefined) return connections;
  const wanted = connections.filter((connection) => connection.workspaceId === workspaceId);
  if (wanted.length > 0) return wanted;
  throw new ApiError("workspace_not_allowed", "The workspace does not exist or is not open to this caller.");
}

/** The newest graphs of connections, in their order. */
export function currentGraphs(
  graphs: Graphs,
  connections: readonly Connection[],
): Promise<readonly ReadableGraph[]> {
  return Promise.all(
    connections.map(async (connection) => ({ connection, ...(await graphs.current(connection)) })),
  );
}

/**
 * The graphs of a list: those in which it began, by the version of each connection; for a new list the newest. Throws
 * `ApiError` `cursor_expired` if one of them is no longer in memory (GRAPH-12).
 */
export function graphsOfList(
  graphs: Graphs,
  connections: readonly Connection[],
  versions: readonly number[] | undefined,
): Promise<readonly ReadableGraph[]> {
  if (versions === undefined) return currentGraphs(graphs, connections);
  return Promise.all(
    connections.map(async (connection, index) => {
      const published = await graphs.version(connection, versions[index] ?? Number.NaN);
      if (published) return { connection, ...published };
      throw expired("A newer graph was published");
    }),
  );
}

/** A node and the graph that it is in. */
export interface LocatedNode {
  readonly source: ReadableGraph;
  readonly node: GraphNode;
}

/** Finds the node whose file an address at a forge shows (SRC-3), in the first of the graphs that has it; null if none does. */
export function locateAtForge(readable: readonly ReadableGraph[], address: string): LocatedNode | null {
  for (const source of readable) {
    const node = source.graph.node(nodeAtForge(source.graph, address) ?? "");
    if (node) return { source, node };
  }
  return null;
}

/** Finds a node in the first of the graphs that has it; null if none does. */
export function locateNode(readable: readonly ReadableGraph[], id: NodeId): LocatedNode | null {
  for (const source of readable) {
    const node = source.graph.node(id);
    if (node) return { source, node };
  }
  return null;
}
