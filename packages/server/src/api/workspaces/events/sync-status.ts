import { failedPagesShown } from "@clew/contract";
import type { Connection } from "../../../model/connection.ts";
import type { FailedPages } from "../../../present/sync.ts";
import type { ReadHandle } from "../../../store/port.ts";
import { findConnection } from "../../../store/queries/connections.ts";
import { failedPages } from "../../../store/queries/sync-reports.ts";

/** Where the sync of a connection stands, and what could not be read so far. */
export interface SyncStatus {
  readonly connection: Connection;
  readonly failed: FailedPages;
}

/** Where the sync of a connection stands now; null where the connection is gone. */
export async function readSyncStatus(db: ReadHandle, connectionId: number): Promise<SyncStatus | null> {
  const connection = await findConnection(db, connectionId);
  return connection && { connection, failed: await failedPages(db, connectionId, failedPagesShown) };
}
