import type { Workspace } from "@clew/contract";
import type { Connection } from "../model/connection.ts";
import { presentConnection } from "./connection.ts";
import { type FailedPages, presentSyncProgress } from "./sync-progress.ts";
import { presentOptionalTimestamp } from "./timestamp.ts";

/** A readable workspace with the size and freshness of its graph (GRAPH-1). */
export function presentWorkspace(
  connection: Connection,
  size: { readonly nodes: number; readonly edges: number },
  failed: FailedPages,
): Workspace {
  return {
    ...presentConnection(connection),
    nodes: size.nodes,
    edges: size.edges,
    sync: presentSyncProgress(connection.sync, failed),
    complete_as_of: presentOptionalTimestamp(connection.completeAsOf),
  };
}
