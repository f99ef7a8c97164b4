import type { Database, WriteTransaction } from "../../store/port.ts";
import { findJob, hasJob, type Job, type JobSearch, nextJob, putJob } from "../../store/queries/jobs.ts";
import { countNodes } from "../../store/queries/known-nodes.ts";

/**
 * Milliseconds for which a worker that says nothing is believed to live. Short, so that a restart after a crash goes on
 * soon; a worker that lives and is merely slow loses no more than its turn.
 */
export const leaseTime = 15_000;

/** A worker's right to a connection's job. */
export interface Claim {
  readonly connectionId: number;
  readonly worker: string;
}

/** Which job a worker may take. */
export interface ClaimSearch extends Omit<JobSearch, "mostNodes"> {
  /** Whether the worker has room for the sync of a connection with so many stored nodes. */
  readonly hasRoomFor: (connectionId: number, nodes: number) => boolean;
  /** A connection with no more nodes than this passes one that there is no room for. */
  readonly passingNodes: number;
}

/**
 * Takes the job whose turn it is, in one transaction, so that no two workers take the same (SYNC-9); null where none is
 * due that there is room for.
 */
export async function claimJob(
  trx: WriteTransaction,
  worker: string,
  search: ClaimSearch,
): Promise<Job | null> {
  const job = await nextWithRoom(trx, search);
  if (job === null) return null;
  const attempts = job.attempts + 1;
  const dueAt = search.now + retryDelayMs(attempts);
  const claimed = { ...job, worker, leasedUntil: search.now + leaseTime, attempts, dueAt };
  await putJob(trx, claimed);
  return claimed;
}

/** The next job; where there is no room for it, the next small one. Other large ones wait behind it. */
async function nextWithRoom(
  trx: WriteTransaction,
  { hasRoomFor, passingNodes, ...search }: ClaimSearch,
): Promise<Job | null> {
  for (const mostNodes of [null, passingNodes]) {
    const job = await nextJob(trx, { ...search, mostNodes });
    if (job === null) return null;
    if (hasRoomFor(job.connectionId, await countNodes(trx, job.connectionId))) return job;
  }
  return null;
}

/** How often a job may take its worker down with it before the next one hesitates. */
const trustedAttempts = 5;
const minute = 60_000;
const longestPatience = 60 * minute;

/** Milliseconds until a job may be begun again after it never came to an end, the last time included. */
function retryDelayMs(attempts: number): number {
  if (attempts < trustedAttempts) return 0;
  return Math.min(minute * 2 ** (attempts - trustedAttempts), longestPatience);
}

/** Gives a job back as it was found, for the next worker to go on with at once (OPS-3). */
export async function releaseJob(
  trx: WriteTransaction,
  { connectionId, worker }: Claim,
  now: number,
): Promise<void> {
  const job = await findJob(trx, connectionId);
  if (job?.worker !== worker) return;
  await putJob(trx, { ...job, worker: null, leasedUntil: null, attempts: job.attempts - 1, dueAt: now });
}

/** The connection's job is another worker's now, or its connection is gone: what this worker found is not to be written. */
export class JobLost extends Error {
  constructor(connectionId: number) {
    super(`The sync of connection ${connectionId} is no longer this worker's`);
    this.name = "JobLost";
  }
}

/**
 * The database for as long as the worker has the connection's job. A worker may have slept past its lease without
 * knowing: each of its writes is let through in the transaction that finds the job to be its own, or fails with `JobLost`.
 */
export function fenced(database: Database, { connectionId, worker }: Claim): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (trx) => {
        if (!(await hasJob(trx, connectionId, worker))) throw new JobLost(connectionId);
        return work(trx);
      }),
  };
}
