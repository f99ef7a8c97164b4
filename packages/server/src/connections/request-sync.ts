import type { Connection } from "../model/connection.ts";
import type { WriteTransaction } from "../store/port.ts";
import { findConnection, setSyncProgress } from "../store/queries/connections.ts";
import { findJob, type Job, putJob } from "../store/queries/jobs.ts";

/** How soon a sync is wanted: first what a person waits for, then what is known to have changed. */
export const priorities = { "sign-in": 0, person: 0, webhook: 1, schedule: 2 } as const;

/** What kind of sync somebody asks for. */
export interface SyncRequest {
  /** Who asks; a person where it is left out. */
  readonly by?: keyof typeof priorities;
  /** Whether also what the provider's search does not list is to be read again. */
  readonly full?: boolean;
}

/** Milliseconds from the end of a sync to one that the provider's hints ask for: they come in swarms. */
const hintPause = 60_000;

/** When a connection that the provider hints at may be read again. */
export function hintDueAt(endedAt: number, now: number): number {
  return Math.max(now, endedAt + hintPause);
}

/**
 * Asks for a sync of a connection (SYNC-9). It joins the one that waits or is under way: that is brought forward. Where
 * the one under way may miss what the wish is about, another one follows it. A connection whose grant was withdrawn has
 * nothing to read.
 */
export async function requestJob(
  trx: WriteTransaction,
  connectionId: number,
  wish: SyncRequest,
  now: number,
): Promise<void> {
  const connection = await findConnection(trx, connectionId);
  if (connection?.status !== "active") return;
  const job = await findJob(trx, connectionId);
  if (job !== null && job.worker !== null) return putJob(trx, joined(job, wish));
  const wanted = waiting(connection, wish, now);
  const next = job === null ? wanted : sooner(job, wanted);
  await putJob(trx, next);
  // One for later leaves the connection at rest until then. That of an interrupted sync goes on, and its state says so.
  const rests = ["idle", "failed"].includes(connection.sync.state);
  if (rests && next.dueAt <= now)
    await setSyncProgress(trx, connectionId, { state: "queued", phase: null, done: 0, total: null });
}

function waiting({ id, sync }: Connection, { by = "person", full = false }: SyncRequest, now: number): Job {
  const dueAt = by === "webhook" ? hintDueAt(sync.finishedAt ?? 0, now) : now;
  const idle = { attempts: 0, askedAgain: null, worker: null, leasedUntil: null };
  return { connectionId: id, priority: priorities[by], full, dueAt, ...idle };
}

/** What two who ask at different times get together. */
function sooner(one: Job, other: Job): Job {
  return {
    ...one,
    priority: Math.min(one.priority, other.priority),
    full: one.full || other.full,
    dueAt: Math.min(one.dueAt, other.dueAt),
  };
}

/** A job that is under way, after somebody asked for more. */
function joined(job: Job, { by = "person", full = false }: SyncRequest): Job {
  const isMissed = by === "webhook" || by === "sign-in" || (full && !job.full);
  const priority = priorities[by];
  return {
    ...job,
    priority: Math.min(job.priority, priority),
    full: job.full || full,
    askedAgain: isMissed ? Math.min(job.askedAgain ?? priority, priority) : job.askedAgain,
  };
}
