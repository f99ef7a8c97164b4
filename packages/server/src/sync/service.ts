import { connectionsToSync, findConnection, setSyncProgress } from "../store/connections.ts";
import { createSlots } from "./slots.ts";
import { type SyncParts, syncConnection } from "./sync-connection.ts";

/** Reads workspaces into the store, in the background. */
export interface SyncService {
  /**
   * Asks for a sync of a connection; joins the one that waits or is under way. Resolves, and never rejects, when the
   * connection says that it has one.
   */
  request(connectionId: number): Promise<void>;
  /** Takes up the syncs that a restart left unfinished (SYNC-6). */
  resume(): Promise<void>;
  /** Ends all syncs where they are, for `resume` to take up; resolves when nothing is written any more. */
  stop(): Promise<void>;
}

/** Connections that are read at a time; each has a rate limit of its own. */
const syncsAtOnce = 4;

export function createSyncService(parts: SyncParts): SyncService {
  const { database, log } = parts;
  const stopping = new AbortController();
  const inSlot = createSlots(syncsAtOnce);
  const jobs = new Map<number, { readonly queued: Promise<void>; readonly ended: Promise<void> }>();

  /** Leaves alone a sync that was interrupted: that it goes on is told by its state. */
  const queue = async (connectionId: number) => {
    await database.transaction(async (trx) => {
      const connection = await findConnection(trx, connectionId);
      const rests = connection?.sync.state === "idle" || connection?.sync.state === "failed";
      if (rests && connection?.status === "active")
        await setSyncProgress(trx, connectionId, { state: "queued", phase: null, done: 0, total: null });
    });
  };

  const sync = async (connectionId: number, queued: Promise<void>) => {
    await queued;
    await inSlot(async () => {
      if (!stopping.signal.aborted) await syncConnection(connectionId, parts, stopping.signal);
    });
  };

  const report = (connectionId: number) => (error: unknown) =>
    log.error({ connectionId, err: error }, "a sync could not be run");

  const request = async (connectionId: number): Promise<void> => {
    const job = jobs.get(connectionId);
    if (job !== undefined) return job.queued;
    if (stopping.signal.aborted) return;
    const queued = queue(connectionId);
    const ended = sync(connectionId, queued)
      .catch(report(connectionId))
      .finally(() => jobs.delete(connectionId));
    const settled = queued.catch(() => {});
    jobs.set(connectionId, { queued: settled, ended });
    return settled;
  };

  return {
    request,
    async resume() {
      for (const connectionId of await connectionsToSync(database.read)) await request(connectionId);
    },
    async stop() {
      stopping.abort(new Error("Clew is stopping"));
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
    },
  };
}
