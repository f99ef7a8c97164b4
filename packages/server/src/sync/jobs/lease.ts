import type { Database, WriteTransaction } from "../../store/port.ts";
import { type FoundJob, findJob, hasJob, type JobSearch, nextJob, putJob } from "../../store/queries/jobs.ts";
import { countNodes } from "../../store/queries/known-nodes.ts";

/**
 * Milliseconds after which a lease that is not renewed ends. Short, so that syncs continue soon after a crash; a live worker
 * that is slow loses only its turn.
 */
export const leaseMs = 15_000;

/** A worker's lease of a connection's job. */
export interface Claim {
  readonly connectionId: number;
  readonly worker: string;
}

/** Which job a worker may take. */
export interface ClaimSearch extends Omit<JobSearch, "maxNodes"> {
  /** Whether the worker has room for the sync of a connection with `nodes` stored nodes. */
  readonly hasRoomFor: (connectionId: number, nodes: number) => boolean;
  /** A connection with no more nodes than this may overtake one that there is no room for. */
  readonly maxOvertakingNodes: number;
}

/** Leases the next job (SYNC-9); null if none is due that there is room for. */
export async function claimJob(
  trx: WriteTransaction,
  worker: string,
  search: ClaimSearch,
): Promise<FoundJob | null> {
  const job = await nextWithRoom(trx, search);
  if (job === null) return null;
  const attempts = job.attempts + 1;
  const dueAt = search.now + retryDelayMs(attempts);
  const claimed = { ...job, worker, leasedUntil: search.now + leaseMs, attempts, dueAt };
  await putJob(trx, claimed);
  return claimed;
}

/** The next job, or the next small one if there is no room for it. Other large ones wait. */
async function nextWithRoom(
  trx: WriteTransaction,
  { hasRoomFor, maxOvertakingNodes, ...search }: ClaimSearch,
): Promise<FoundJob | null> {
  for (const maxNodes of [null, maxOvertakingNodes]) {
    const job = await nextJob(trx, { ...search, maxNodes });
    if (job === null) return null;
    if (hasRoomFor(job.connectionId, await countNodes(trx, job.connectionId))) return job;
  }
  return null;
}

/** The number of attempts without an end after which a job is delayed. */
const attemptsWithoutDelay = 5;
const minuteMs = 60_000;
const maxRetryDelayMs = 60 * minuteMs;

/** Milliseconds to wait before the next attempt, given the number of attempts so far, including this one. */
function retryDelayMs(attempts: number): number {
  if (attempts < attemptsWithoutDelay) return 0;
  return Math.min(minuteMs * 2 ** (attempts - attemptsWithoutDelay), maxRetryDelayMs);
}

/** Releases a job, so that another worker can resume it at once (OPS-3). */
export async function releaseJob(
  trx: WriteTransaction,
  { connectionId, worker }: Claim,
  now: number,
): Promise<void> {
  const job = await findJob(trx, connectionId);
  if (job?.worker !== worker) return;
  await putJob(trx, { ...job, worker: null, leasedUntil: null, attempts: job.attempts - 1, dueAt: now });
}

/** Another worker has the connection's job now, or the connection is gone: this worker must write no more. */
export class JobLost extends Error {
  constructor(connectionId: number) {
    super(`Another worker has taken over the sync of connection ${connectionId}, or the connection is gone`);
    this.name = "JobLost";
  }
}

/**
 * The database, fenced: a worker may have slept past its lease without knowing, so each write transaction first checks
 * that the job is still its own, and fails with `JobLost` if not. They run one after the other: all of them change the
 * connection's row, so those that ran at the same time would only be in conflict. The job's row is locked meanwhile, which
 * keeps all other writers of the connection's graph away: they need not be serializable.
 */
export function fenced(database: Database, { connectionId, worker }: Claim): Database {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...database,
    transaction(work) {
      const turn = last.then(() =>
        database.locked(async (trx) => {
          if (!(await hasJob(trx, connectionId, worker))) throw new JobLost(connectionId);
        }, work),
      );
      last = turn.catch(() => {});
      return turn;
    },
  };
}
