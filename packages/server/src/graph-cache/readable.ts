import type { GraphNode, NodeId } from "@clew/graph";
import type { AllowList } from "../model/allow-list.ts";
import { ApiError } from "../model/api-error.ts";
import type { ServiceTokenCaller, SessionCaller } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import type { Database } from "../store/port.ts";
import { allowedConnections } from "../store/queries/allowed-connections.ts";
import type { PublishedGraph } from "./graph-cache.ts";
import type { Graphs } from "./graphs.ts";

/** Somebody who may read graphs. */
export type Reader = SessionCaller | ServiceTokenCaller;

/** A workspace as one of its people sees it: their connection and its graph. */
export interface ReadableGraph extends PublishedGraph {
  readonly connection: Connection;
}

/** What everybody's reading follows. */
interface ReadingRules {
  /** Who may use Clew, and which of their workspaces (SIGN-10). */
  readonly allowed: AllowList;
  /** Graphs whose grants were withdrawn before then are refused, in milliseconds since the Unix epoch (SYNC-8). */
  readonly oldestWithdrawal: number;
}

/** The connections that a user may use; null where the user is off the lists (SIGN-10). Read once until the next commit. */
export function usableConnections(
  { read, memory }: Pick<Database, "read" | "memory">,
  allowed: AllowList,
  userId: string,
): Promise<readonly Connection[] | null> {
  return memory.remember(`connections ${userId}`, () => allowedConnections(read, allowed, userId));
}

/**
 * The connections whose graphs a caller may read, oldest first: a session all of its user's, a service token those
 * of its `workspace_ids` that its owner is still connected to. A graph whose grant was withdrawn before
 * `oldestWithdrawal` has had its grace (SYNC-8). Everything else is denied by not being looked at (GRAPH-10), so ask
 * this anew for every request.
 */
export async function readableConnections(
  database: Pick<Database, "read" | "memory">,
  reader: Reader,
  { allowed, oldestWithdrawal }: ReadingRules,
): Promise<readonly Connection[]> {
  const connections = await usableConnections(database, allowed, reader.userId);
  return (connections ?? []).filter(
    ({ workspaceId, withdrawnAt }) =>
      (reader.kind === "session" || reader.workspaceIds.includes(workspaceId)) &&
      (withdrawnAt === null || withdrawnAt >= oldestWithdrawal),
  );
}

/** Those of the readable connections that a list is wanted of: the one of a workspace, or all where none is named. */
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
 * The graphs in which a list was begun, a version for each connection. Throws `ApiError` `cursor_expired` where one
 * of them is no longer held (GRAPH-12).
 */
export function graphsOfVersions(
  graphs: Graphs,
  connections: readonly Connection[],
  versions: readonly number[],
): Promise<ReadableGraph[]> {
  return Promise.all(
    connections.map(async (connection, index) => {
      const published = await graphs.version(connection, versions[index] ?? Number.NaN);
      if (published) return { connection, ...published };
      throw new ApiError("cursor_expired", "A newer graph was published since this list began: start over.");
    }),
  );
}

/** A node and the graph that it stands in. */
export interface LocatedNode {
  readonly source: ReadableGraph;
  readonly node: GraphNode;
}

/** The node, wherever among the readable graphs it stands; null where it is in none. */
export function locateNode(readable: readonly ReadableGraph[], id: NodeId): LocatedNode | null {
  for (const source of readable) {
    const node = source.graph.node(id);
    if (node) return { source, node };
  }
  return null;
}
