import { failedPagesShown, type Workspace, type WorkspaceList } from "@clew/contract";
import { type Reader, readableConnections } from "../graph-cache/readable.ts";
import type { Awaitable } from "../model/awaitable.ts";
import type { Connection } from "../model/connection.ts";
import { presentWorkspace } from "../present/workspace.ts";
import { countGraph } from "../store/queries/graph-reading.ts";
import { failedPages } from "../store/queries/sync-reports.ts";
import type { QueryServices, RequestContext } from "./request-context.ts";

/** The readable workspaces, their size and freshness (GRAPH-1). */
export async function workspaces({ services, reader }: RequestContext): Promise<WorkspaceList> {
  return { items: await presentedWorkspaces(services, await connectionsShown(services, reader), reader) };
}

/** Who connected a workspace sees it even when the grace of its grant is over: there is something to be done about it. */
function connectionsShown(
  { database, allowed, oldestWithdrawal }: QueryServices,
  reader: Reader,
): Awaitable<readonly Connection[]> {
  const oldest = reader.kind === "session" ? Number.NEGATIVE_INFINITY : oldestWithdrawal();
  return readableConnections(database, reader, { allowed, oldestWithdrawal: oldest });
}

/** Workspaces as their reader may see them. */
export function presentedWorkspaces(
  services: Pick<QueryServices, "graphs" | "database">,
  connections: readonly Connection[],
  reader: Reader,
): Promise<Workspace[]> {
  return Promise.all(connections.map((connection) => presentedWorkspace(services, connection, reader)));
}

/**
 * A workspace with the size of the graph that is served, or of what the store holds where none was built yet. Which
 * pages failed is a detail of nodes: a token that may not read those is told how many (GRAPH-10).
 */
export async function presentedWorkspace(
  { graphs, database }: Pick<QueryServices, "graphs" | "database">,
  connection: Connection,
  reader: Reader,
): Promise<Workspace> {
  const shown = reader.kind === "session" || reader.scopes.includes("graph:read") ? failedPagesShown : 0;
  const loaded = graphs.loaded(connection);
  const size = loaded
    ? { nodes: loaded.graph.nodeCount, edges: loaded.graph.edgeCount }
    : await countGraph(database.read, connection.id);
  return presentWorkspace(connection, size, await failedPages(database.read, connection.id, shown));
}
