import { failedPagesShown } from "@clew/contract";
import type { Connection } from "../../../model/connection.ts";
import type { FailedPages } from "../../../present/sync.ts";
import type { Database, ReadHandle } from "../../../store/port.ts";
import { findConnection } from "../../../store/queries/connections.ts";
import { failedPages } from "../../../store/queries/sync-reports.ts";

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

/** Receives the status at each poll; null if it can no longer be read. Never rejects. */
type Listener = (status: SyncStatus | null) => Promise<void>;

interface PollerServices {
  readonly database: Pick<Database, "read">;
  /** Receives the error of a failed poll, which ends all listeners. */
  readonly onError: (error: unknown) => void;
}

const pollIntervalMs = 500;

/** Polls the status of each connection that has listeners, once for all of them. */
export function createStatusPoller({ database, onError }: PollerServices) {
  const polled = new Map<number, { readonly listeners: Set<Listener>; readonly timer: NodeJS.Timeout }>();

  function begin(connectionId: number) {
    const listeners = new Set<Listener>();
    let isPolling = false;
    const poll = async () => {
      if (isPolling) return;
      isPolling = true;
      const status = await readSyncStatus(database.read, connectionId).catch((error) => {
        onError(error);
        return null;
      });
      await Promise.all([...listeners].map((listener) => listener(status)));
      isPolling = false;
    };
    const poller = { listeners, timer: setInterval(() => void poll(), pollIntervalMs).unref() };
    polled.set(connectionId, poller);
    return poller;
  }

  return {
    /** Calls the listener about twice a second, until the returned function is called. */
    listen(connectionId: number, listener: Listener): () => void {
      const { listeners, timer } = polled.get(connectionId) ?? begin(connectionId);
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        clearInterval(timer);
        polled.delete(connectionId);
      };
    },
  };
}
