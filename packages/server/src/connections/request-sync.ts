import { type Connection, isUnderWay } from "../model/connection.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { findConnection, setSyncProgress } from "../store/queries/connections.ts";
import { findJob, type Job, putJob } from "../store/queries/jobs.ts";

/** Jobs of a lower number run first: people wait for theirs, and a webhook reports a change. */
export const priorities = { "sign-in": 0, person: 0, webhook: 1, schedule: 2 } as const;

/** A request for a sync. */
export interface SyncRequest {
  /** The origin of the request; a person by default. */
  readonly by?: keyof typeof priorities;
  /** Whether pages that the provider's search does not list are read again too. */
  readonly full?: boolean;
}

/** The syncs of an installation, whichever process or thread runs them. */
export interface Syncs {
  /**
   * Requests a sync of a connection, or joins the one that waits or runs. Resolves once the request is stored.
   *
   * @example
   * await syncs.request(connectionId, { by: "webhook" });
   */
  request(connectionId: number, request?: SyncRequest): Promise<void>;
  /**
   * Ends the sync of a connection that is removed; resolves once this process writes nothing of it any more. Another process
   * writes nothing of it either, since the job is gone.
   */
  abandon(connectionId: number): Promise<void>;
}

/** The syncs of an installation, for a process that runs none: others find the requests in the database. */
export function storedSyncs({ database, clock }: { database: Database; clock: Clock }): Syncs {
  return {
    request: (connectionId, request = {}) =>
      database.transaction((trx) => requestJob(trx, connectionId, request, clock())),
    abandon: async () => {},
  };
}

/** From the end of a sync to the next one that webhooks may start: webhooks come in bursts. */
const webhookDelayMs = 60_000;

/** The time from which a webhook may have a connection synced again. */
export function webhookDueAt(endedAt: number, now: number): number {
  return Math.max(now, endedAt + webhookDelayMs);
}

/**
 * Requests a sync of a connection (SYNC-9). If one is waiting, the request joins it and brings it forward. If one is
 * under way, another one follows it if it may miss what was requested, however many requests there are. Does nothing for
 * a connection whose grant was withdrawn.
 */
export async function requestJob(
  trx: WriteTransaction,
  connectionId: number,
  request: SyncRequest,
  now: number,
): Promise<void> {
  const connection = await findConnection(trx, connectionId);
  if (connection?.status !== "active") return;
  const job = await findJob(trx, connectionId);
  if (job !== null && (job.worker !== null || isUnderWay(connection)))
    return putJob(trx, followed(job, request));
  const wanted = waitingJob(connection, request, now);
  const next = job === null ? wanted : merged(job, wanted);
  await putJob(trx, next);
  // A job for later leaves the connection idle until then. An interrupted sync keeps its state.
  const isIdle = ["idle", "failed"].includes(connection.sync.state);
  if (isIdle && next.dueAt <= now)
    await setSyncProgress(trx, connectionId, { state: "queued", phase: null, done: 0, total: null });
}

/** The state of a job that no worker has: nothing was tried, and nothing follows it. */
export const idleJob = {
  attempts: 0,
  followUpPriority: null,
  followUpFull: false,
  worker: null,
  leasedUntil: null,
} as const satisfies Partial<Job>;

function waitingJob(
  { id, sync }: Connection,
  { by = "person", full = false }: SyncRequest,
  now: number,
): Job {
  const dueAt = by === "webhook" ? webhookDueAt(sync.finishedAt ?? 0, now) : now;
  return { ...idleJob, connectionId: id, priority: priorities[by], full, dueAt };
}

/** Merges two requests into one job: the earlier time, the higher priority, and the wider scope. */
function merged(one: Job, other: Job): Job {
  return {
    ...one,
    priority: Math.min(one.priority, other.priority),
    full: one.full || other.full,
    dueAt: Math.min(one.dueAt, other.dueAt),
  };
}

/** A job that is under way, after another request. */
function followed(job: Job, { by = "person", full = false }: SyncRequest): Job {
  // The schedule wants any sync. All others know of changes that the listing under way may have passed.
  const isMissed = by !== "schedule" || (full && !job.full);
  const priority = priorities[by];
  if (!isMissed) return { ...job, priority: Math.min(job.priority, priority) };
  return {
    ...job,
    priority: Math.min(job.priority, priority),
    followUpPriority: Math.min(job.followUpPriority ?? priority, priority),
    followUpFull: job.followUpFull || full,
  };
}
