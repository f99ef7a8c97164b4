import type { SyncProgress as SyncProgressMessage, Workspace } from "@clew/contract";
import type { Connection, SyncProgress } from "../model/connection.ts";
import { presentConnection } from "./connection.ts";
import { presentOptionalTimestamp } from "./timestamp.ts";

/** A readable workspace with the size and freshness of its graph (GRAPH-1). */
export function presentWorkspace(
  connection: Connection,
  size: { readonly nodes: number; readonly edges: number },
): Workspace {
  return {
    ...presentConnection(connection),
    nodes: size.nodes,
    edges: size.edges,
    sync: presentSyncProgress(connection.sync),
  };
}

function presentSyncProgress(sync: SyncProgress): SyncProgressMessage {
  return {
    state: sync.state,
    phase: sync.phase,
    done: sync.done,
    total: sync.total,
    started_at: presentOptionalTimestamp(sync.startedAt),
    finished_at: presentOptionalTimestamp(sync.finishedAt),
    error: sync.error,
  };
}
