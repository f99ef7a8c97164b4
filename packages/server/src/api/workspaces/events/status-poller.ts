import type { Database } from "../../../store/port.ts";
import { readSyncStatus, type SyncStatus } from "./sync-status.ts";

/** Is told again and again where a sync stands; null where that cannot be told any more. Never rejects. */
type Listener = (status: SyncStatus | null) => Promise<void>;

/** Looks after connections for as long as anybody listens: once for all who do. */
export interface StatusPoller {
  /** Tells the listener about twice a second, until the function that this returns is called. */
  listen(connectionId: number, listener: Listener): () => void;
}

interface Parts {
  readonly database: Pick<Database, "read">;
  /** Told why a look failed. Nobody is left listening then. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds from one look to the next. */
const pollIntervalMs = 500;

export function createStatusPoller({ database, onError }: Parts): StatusPoller {
  const watched = new Map<number, { readonly listeners: Set<Listener>; stop(): void }>();

  function begin(connectionId: number) {
    const listeners = new Set<Listener>();
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      const status = await readSyncStatus(database.read, connectionId).catch((error) => {
        onError(error);
        return null;
      });
      await Promise.all([...listeners].map((listener) => listener(status)));
      isLooking = false;
    };
    const timer = setInterval(() => void look(), pollIntervalMs).unref();
    const poller = {
      listeners,
      stop() {
        clearInterval(timer);
        watched.delete(connectionId);
      },
    };
    watched.set(connectionId, poller);
    return poller;
  }

  return {
    listen(connectionId, listener) {
      const { listeners, stop } = watched.get(connectionId) ?? begin(connectionId);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
  };
}
