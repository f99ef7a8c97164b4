import { type Background, repeat } from "../background/repeat.ts";
import { newId } from "../model/new-id.ts";
import type { RandomBytes } from "../model/random.ts";
import { renewLeases } from "../store/jobs.ts";
import { type Claim, claimJob, leaseTime, releaseJob } from "./jobs/lease.ts";
import { requestJob, type SyncWish } from "./jobs/request.ts";
import { roomFor } from "./jobs/room.ts";
import { type SyncParts, syncConnection } from "./sync-connection.ts";

/** Reads workspaces into the store, in the background: one worker of those that share the database (SYNC-9). */
export interface SyncService {
  /**
   * Asks for a sync of a connection; joins the one that waits or is under way. Resolves, and never rejects, when the
   * connection says that it has one, or when it is written down for later.
   */
  request(connectionId: number, wish?: SyncWish): Promise<void>;
  /** Looks from now on for jobs that are due: those of before a restart, of other instances, and for later. */
  start(): void;
  /** Ends all syncs where they are, for whoever comes next to take up; resolves when nothing is written any more. */
  stop(): Promise<void>;
  /** Ends the sync of a connection that is removed, and resolves when this process writes nothing of it any more. */
  abandon(connectionId: number): Promise<void>;
}

/** How often a worker says that it lives and looks for jobs, in milliseconds: well within a lease. */
const glance = 5_000;

/** A job that this process has under way. */
interface Underway {
  readonly startedAt: number;
  readonly ended: Promise<void>;
  abort(reason: string): void;
}

export function createSyncService(parts: SyncParts & { readonly random: RandomBytes }): SyncService {
  const { database, provider, clock, log } = parts;
  const worker = newId(parts.random);
  const jobs = new Map<number, Underway>();
  let isStopping = false;
  let background: Background | null = null;
  let looking = Promise.resolve();

  const onError = (error: unknown) => log.error({ err: error }, "the jobs could not be looked at");

  const perform = async (claim: Claim, signal: AbortSignal) => {
    const { connectionId } = claim;
    try {
      await syncConnection(claim, parts, signal);
      if (signal.aborted) await database.transaction((trx) => releaseJob(trx, claim, clock()));
    } catch (error) {
      log.error({ connectionId, err: error }, "a sync could not be run");
    } finally {
      jobs.delete(connectionId);
    }
  };

  const begin = ({ connectionId, attempts }: { connectionId: number; attempts: number }) => {
    if (attempts > 1) log.warn({ connectionId, attempts }, "a sync that did not come to its end goes on");
    const controller = new AbortController();
    const abort = (reason: string) => controller.abort(new Error(reason));
    // Whoever waits for a place looks again when this one is free.
    const ended = perform({ connectionId, worker }, controller.signal).then(() => void look());
    jobs.set(connectionId, { startedAt: clock(), ended, abort });
  };

  /** Takes a job if there is a place for it and one is due. */
  const take = async (): Promise<boolean> => {
    const now = clock();
    const room = roomFor(
      [...jobs.values()].map(({ startedAt }) => startedAt),
      now,
    );
    if (isStopping || room === null) return false;
    const search = { provider: provider.slug, now, leastPriority: room, except: [...jobs.keys()] };
    const job = await database.transaction((trx) => claimJob(trx, worker, search));
    if (job !== null) begin(job);
    return job !== null;
  };

  /** Takes all jobs that are due, as far as there are places; one look after the other. */
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
      if (!kept.includes(connectionId)) job.abort("Another worker goes on with the sync");
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
      background ??= repeat({ pause: glance, work, onError });
    },
    async stop() {
      isStopping = true;
      await Promise.all([looking, background?.stop()]);
      for (const job of jobs.values()) job.abort("Clew is stopping");
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
    },
    async abandon(connectionId) {
      const job = jobs.get(connectionId);
      job?.abort("The connection was removed");
      await job?.ended;
    },
  };
}
