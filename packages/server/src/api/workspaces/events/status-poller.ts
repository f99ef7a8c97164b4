import { failedPagesShown } from "@clew/contract";
import type { Connection } from "../../../model/connection.ts";
import type { FailedPages } from "../../../present/sync.ts";
import type { Database, ReadHandle } from "../../../store/port.ts";
import { findConnection } from "../../../store/queries/connections.ts";
import { failedPages } from "../../../store/queries/sync-reports.ts";
import { createPoller } from "../../poller.ts";

/** The state of a connection's sync, and the pages that could not be read so far. */
export interface SyncStatus {
  readonly connection: Connection;
  readonly failed: FailedPages;
}

/** Reads the current status; null if the connection is gone. */
export async function readSyncStatus(db: ReadHandle, connectionId: number): Promise<SyncStatus | null> {
  const connection = await findConnection(db, connectionId);
  return connection && { connection, failed: await failedPages(db, connectionId, failedPagesShown) };
}

/** Polls the status of connections. */
export function createStatusPoller({
  database,
  onError,
}: {
  readonly database: Pick<Database, "read">;
  readonly onError: (error: unknown) => void;
}) {
  return createPoller({ read: (id) => readSyncStatus(database.read, id), onError });
}
