import { failedPagesShown, type Workspace, type WorkspaceList } from "@clew/contract";
import { readableConnections } from "../graphs/readable.ts";
import { holdsAll, type KnownCaller } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import { presentWorkspace } from "../present/workspace.ts";
import { countGraph } from "../store/queries/graph-reading.ts";
import { failedPages } from "../store/queries/sync-reports.ts";
import type { QueryServices, RequestContext } from "./request-context.ts";

type WorkspaceServices = Pick<QueryServices, "graphs" | "database" | "editTimes" | "hasTags">;

/**
 * The readable workspaces, their size and freshness (GRAPH-1). In a session they include those whose grant was withdrawn
 * longer ago than the grace period: their user can connect them again.
 */
export async function workspaces({ services, caller }: RequestContext): Promise<WorkspaceList> {
  const oldest = caller.kind === "session" ? Number.NEGATIVE_INFINITY : services.oldestWithdrawal();
  const connections = readableConnections(caller, oldest);
  return { items: await describeWorkspaces(services, connections, caller) };
}

export function describeWorkspaces(
  services: WorkspaceServices,
  connections: readonly Connection[],
  caller: KnownCaller,
): Promise<Workspace[]> {
  return Promise.all(connections.map((connection) => describeWorkspace(services, connection, caller)));
}

/**
 * A workspace with the size of the graph in memory, or of the stored one if none is. Which pages failed is a detail of
 * nodes: a token that may not read those gets only their number (GRAPH-10).
 */
export async function describeWorkspace(
  { graphs, database, editTimes, hasTags }: WorkspaceServices,
  connection: Connection,
  caller: KnownCaller,
): Promise<Workspace> {
  const mayReadNodes = holdsAll(caller, ["graph:read"]);
  const loaded = graphs.loaded(connection);
  const size = loaded
    ? { nodes: loaded.graph.nodeCount, edges: loaded.graph.edgeCount }
    : await database.snapshot((db) => countGraph(db, connection.id));
  const failed = await failedPages(database.read, connection.id, mayReadNodes ? failedPagesShown : 0);
  return presentWorkspace(connection, size, {
    failed,
    editsAsOf: editTimes.editsAsOf(connection),
    hasTags: hasTags(connection),
  });
}
