import { requestJob, type SyncRequest } from "../connections/request-sync.ts";
import type { RandomBytes, Sleep } from "../model/runtime.ts";
import { createTurns } from "../model/turns.ts";
import { newId } from "../secrets/new-id.ts";
import { setSyncProgress } from "../store/queries/connections.ts";
import { renewLeases } from "../store/queries/jobs.ts";
import { type Claim, claimJob, leaseMs, releaseJob } from "./jobs/lease.ts";
import { createMemoryBudget } from "./jobs/memory-budget.ts";
import { type Background, repeat } from "./jobs/repeat.ts";
import type { SyncServices } from "./open-run.ts";
import { syncConnection } from "./run-sync.ts";
import { heldBytesOf } from "./state.ts";

/** Milliseconds between two polls, each of which renews the leases: far shorter than a lease. */
const pollIntervalMs = 5_000;

/** Writes of syncs that are under way at a time. */
const maxConcurrentWrites = 4;

/** The reason with which a sync is aborted to free memory. */
const suspended = new Error("The sync waits for memory");

export interface SyncServiceOptions extends Omit<SyncServices, "takeTurn" | "onHeld"> {
  readonly random: RandomBytes;
  /** Bytes that the syncs of a process may hold together, as estimated. */
  readonly memoryLimit?: number;
  /** Waits between two polls. */
  readonly sleep?: Sleep | undefined;
  /** Nodes of a workspace whose sync is small: it does not wait for the memory that larger ones hold. */
  readonly smallNodes?: number;
}

export type SyncService = ReturnType<typeof createSyncService>;

/** Reads workspaces into the store, in the background: one worker of those that share the database (SYNC-9). */
export function createSyncService(options: SyncServiceOptions) {
  const { database, provider, clock, log } = options;
  const { memoryLimit = 256 * 1024 * 1024, smallNodes = 2_000 } = options;
  const worker = newId(options.random);
  const takeTurn = createTurns({ atOnce: maxConcurrentWrites });
  const memory = createMemoryBudget({ limit: memoryLimit, small: heldBytesOf(smallNodes) });
  /** The jobs that this process has under way, by connection. */
  const jobs = new Map<number, { readonly ended: Promise<void>; readonly controller: AbortController }>();
  let isStopping = false;
  let background: Background | null = null;
  let polling = Promise.resolve();

  const onError = (error: unknown) => log.error({ err: error }, "failed to poll for sync jobs");

  const runJob = async (claim: Claim, signal: AbortSignal) => {
    const { connectionId } = claim;
    const onHeld = (bytes: number) => {
      if (signal.aborted) return;
      memory.hold(connectionId, bytes);
      makeRoom();
    };
    try {
      await syncConnection(claim, { ...options, takeTurn, onHeld }, signal);
      if (!signal.aborted) return;
      // Leaves the interrupted job to the next worker.
      await database.transaction(async (trx) => {
        await releaseJob(trx, claim, clock());
        if (signal.reason === suspended)
          await setSyncProgress(trx, connectionId, { state: "waiting", waitingUntil: null });
      });
    } catch (error) {
      log.error({ connectionId, err: error }, "failed to run a sync");
    } finally {
      jobs.delete(connectionId);
      memory.release(connectionId);
    }
  };

  /** Suspends the largest sync if all together hold too much; it resumes once there is room (SYNC-6). */
  const makeRoom = () => {
    const connectionId = memory.chooseToSuspend();
    if (connectionId === null) return;
    log.info({ connectionId }, "suspending the largest sync until there is memory for it");
    jobs.get(connectionId)?.controller.abort(suspended);
  };

  /** Begins the next job; false if there is none, or no memory for it. */
  const beginNext = async (): Promise<boolean> => {
    if (isStopping) return false;
    let bytes = 0;
    const search = {
      provider: provider.slug,
      now: clock(),
      except: [...jobs.keys()],
      hasRoomFor: (connectionId: number, nodes: number) => {
        bytes = heldBytesOf(nodes);
        return memory.hasRoomFor(connectionId, bytes);
      },
      maxOvertakingNodes: smallNodes,
    };
    const job = await database.transaction((trx) => claimJob(trx, worker, search));
    if (job === null) return false;
    const { connectionId, attempts } = job;
    if (attempts > 1) log.warn({ connectionId, attempts }, "resuming an interrupted sync");
    memory.hold(connectionId, bytes);
    const controller = new AbortController();
    // A job that waits for memory may begin once this one has ended.
    const ended = runJob({ connectionId, worker }, controller.signal).then(() => void poll());
    jobs.set(connectionId, { ended, controller });
    makeRoom();
    return true;
  };

  /** Begins all due jobs for which there is memory, one poll after the other. */
  const poll = (): Promise<void> => {
    polling = polling
      .then(async () => {
        while (await beginNext());
      })
      .catch(onError);
    return polling;
  };

  /** Renews the leases. Ends jobs that another worker has taken over, which happens if this process slept. */
  const renew = async () => {
    if (jobs.size === 0) return;
    const running = [...jobs];
    const ids = running.map(([connectionId]) => connectionId);
    const renewed = await database.transaction((trx) => renewLeases(trx, worker, ids, clock() + leaseMs));
    for (const [connectionId, { controller }] of running)
      if (!renewed.includes(connectionId)) controller.abort(new Error("Another worker took over the sync"));
  };

  return {
    /**
     * Requests a sync of a connection, or joins the one that waits or runs. Resolves once the request is stored.
     */
    async request(connectionId: number, request: SyncRequest = {}): Promise<void> {
      await database.transaction((trx) => requestJob(trx, connectionId, request, clock()));
      void poll();
    },
    /** Polls for due jobs from now on: those of before a restart, of other instances, and scheduled ones. */
    start(): void {
      const work = async () => {
        await renew();
        await poll();
      };
      background ??= repeat({ intervalMs: pollIntervalMs, work, onError, sleep: options.sleep });
    },
    /** Interrupts all syncs, for another worker to take over; resolves once nothing is written any more. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all([polling, background?.stop()]);
      for (const { controller } of jobs.values()) controller.abort(new Error("Clew is stopping"));
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
    },
    /** Ends the sync of a connection that is removed; resolves once this process writes nothing of it any more. */
    async abandon(connectionId: number): Promise<void> {
      const job = jobs.get(connectionId);
      job?.controller.abort(new Error("The connection was removed"));
      await job?.ended;
    },
  };
}
