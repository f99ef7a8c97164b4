import { requestJob, type SyncRequest } from "../connections/request-sync.ts";
import type { RandomBytes } from "../model/runtime.ts";
import { newId } from "../secrets/new-id.ts";
import type { WriteTransaction } from "../store/port.ts";
import { setSyncProgress } from "../store/queries/connections.ts";
import { renewLeases } from "../store/queries/jobs.ts";
import { heldBytesOf } from "./held-bytes.ts";
import { type Claim, claimJob, leaseTime, releaseJob } from "./jobs/lease.ts";
import { createMemoryBudget } from "./jobs/memory-budget.ts";
import { type Background, repeat } from "./jobs/repeat.ts";
import { createTurns } from "./jobs/turns.ts";
import { type SyncParts, syncConnection } from "./sync-connection.ts";

/** Reads workspaces into the store, in the background: one worker of those that share the database (SYNC-9). */
export interface SyncService {
  /**
   * Asks for a sync of a connection; joins the one that waits or is under way. Resolves, and never rejects, when the
   * connection says that it has one, or when it is written down for later.
   */
  request(connectionId: number, wish?: SyncRequest): Promise<void>;
  /** Looks from now on for jobs that are due: those of before a restart, of other instances, and for later. */
  start(): void;
  /** Ends all syncs where they are, for whoever comes next to take up; resolves when nothing is written any more. */
  stop(): Promise<void>;
  /** Ends the sync of a connection that is removed, and resolves when this process writes nothing of it any more. */
  abandon(connectionId: number): Promise<void>;
}

/** How often a worker says that it lives and looks for jobs, in milliseconds: well within a lease. */
const pollIntervalMs = 5_000;

/** Writes of syncs that are under way at a time. */
const writesAtOnce = 4;

/** Bytes that the syncs of a process may hold together, as they are estimated. */
const standardMemoryLimit = 256 * 1024 * 1024;

/** Nodes of a workspace whose sync is small: it does not wait for the memory that larger ones hold. */
const standardSmallNodes = 2_000;

/** A job that this process has under way. */
interface Underway {
  readonly ended: Promise<void>;
  abort(reason: Error): void;
}

/** Why a sync is suspended. */
const noMemory = new Error("The sync waits for memory");

export interface SyncServiceParts extends Omit<SyncParts, "turns" | "onHeld"> {
  readonly random: RandomBytes;
  /** Bytes that all syncs may hold together. */
  readonly memoryLimit?: number;
  /** Nodes of a workspace whose sync does not wait for larger ones. */
  readonly smallNodes?: number;
}

export function createSyncService(parts: SyncServiceParts): SyncService {
  const { database, provider, clock, log } = parts;
  const { memoryLimit = standardMemoryLimit, smallNodes = standardSmallNodes } = parts;
  const worker = newId(parts.random);
  const turns = createTurns({ atOnce: writesAtOnce });
  const memory = createMemoryBudget({ limit: memoryLimit, small: heldBytesOf(smallNodes) });
  const jobs = new Map<number, Underway>();
  let isStopping = false;
  let background: Background | null = null;
  let looking = Promise.resolve();

  const onError = (error: unknown) => log.error({ err: error }, "the jobs could not be looked at");

  const perform = async (claim: Claim, signal: AbortSignal) => {
    const { connectionId } = claim;
    const onHeld = (bytes: number) => {
      if (signal.aborted) return;
      memory.hold(connectionId, bytes);
      makeRoom();
    };
    try {
      await syncConnection(claim, { ...parts, turns, onHeld }, signal);
      if (signal.aborted) await database.transaction((trx) => releaseClaim(trx, claim, signal.reason));
    } catch (error) {
      log.error({ connectionId, err: error }, "a sync could not be run");
    } finally {
      jobs.delete(connectionId);
      memory.release(connectionId);
    }
  };

  const begin = ({ connectionId, attempts }: { connectionId: number; attempts: number }) => {
    if (attempts > 1) log.warn({ connectionId, attempts }, "a sync that did not come to its end goes on");
    const controller = new AbortController();
    const abort = (reason: Error) => controller.abort(reason);
    // A job that waits for memory looks again when this one has ended.
    const ended = perform({ connectionId, worker }, controller.signal).then(() => void look());
    jobs.set(connectionId, { ended, abort });
  };

  /** Leaves a job that was not brought to its end to whoever comes next. */
  const releaseClaim = async (trx: WriteTransaction, claim: Claim, reason: unknown) => {
    await releaseJob(trx, claim, clock());
    if (reason === noMemory)
      await setSyncProgress(trx, claim.connectionId, { state: "waiting", waitingUntil: null });
  };

  /** Suspends the largest sync where all together hold too much: it goes on where it was once there is room (SYNC-6). */
  const makeRoom = () => {
    const connectionId = memory.giveWay();
    if (connectionId === null) return;
    log.info({ connectionId }, "suspending the largest sync until there is memory for it");
    jobs.get(connectionId)?.abort(noMemory);
  };

  /** Takes the job whose turn it is, if there is memory for it. */
  const take = async (): Promise<boolean> => {
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
      passingNodes: smallNodes,
    };
    const job = await database.transaction((trx) => claimJob(trx, worker, search));
    if (job === null) return false;
    memory.hold(job.connectionId, bytes);
    begin(job);
    makeRoom();
    return true;
  };

  /** Takes all jobs that are due, as far as there is memory; one look after the other. */
  const look = (): Promise<void> => {
    looking = looking
      .then(async () => {
        while (await take());
      })
      .catch(onError);
    return looking;
  };

  /** Renews the leases. A job that is another worker's now is let go: this process must have slept. */
  const renew = async () => {
    if (jobs.size === 0) return;
    const had = [...jobs];
    const ids = had.map(([connectionId]) => connectionId);
    const kept = await database.transaction((trx) => renewLeases(trx, worker, ids, clock() + leaseTime));
    for (const [connectionId, job] of had)
      if (!kept.includes(connectionId)) job.abort(new Error("Another worker goes on with the sync"));
  };

  return {
    async request(connectionId, wish = {}) {
      await database
        .transaction((trx) => requestJob(trx, connectionId, wish, clock()))
        .catch((error) => log.error({ connectionId, err: error }, "a sync could not be asked for"));
      void look();
    },
    start() {
      const work = async () => {
        await renew();
        await look();
      };
      background ??= repeat({ intervalMs: pollIntervalMs, work, onError });
    },
    async stop() {
      isStopping = true;
      await Promise.all([looking, background?.stop()]);
      for (const job of jobs.values()) job.abort(new Error("Clew is stopping"));
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
    },
    async abandon(connectionId) {
      const job = jobs.get(connectionId);
      job?.abort(new Error("The connection was removed"));
      await job?.ended;
    },
  };
}
