import type { Workspace } from "@clew/client";
import { isSyncing } from "../../../api/sync-progress.ts";

/** The workspaces that are being read for the first time. */
export const firstReadOf = (workspaces: readonly Workspace[]): Workspace[] =>
  workspaces.filter(({ sync, last_synced_at: syncedAt }) => isSyncing(sync) && syncedAt === null);

/** The size of the workspaces, as text: it changes with the number of their pages and links, and with the end of a sync. */
export const sizeOf = (workspaces: readonly Workspace[]): string =>
  workspaces.map(({ id, nodes, edges, last_synced_at: at }) => [id, nodes, edges, at]).join();
