import { type Selectable, sql } from "kysely";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { precompiled } from "./precompiled.ts";
import { profileOf } from "./profile.ts";

/** A connection's waiting or running sync. Times are milliseconds since the Unix epoch. */
export interface Job {
  readonly connectionId: number;
  /** Lower numbers go first. */
  readonly priority: number;
  /** Whether to also read what the provider's search does not list. While it runs, whether it does. */
  readonly full: boolean;
  /** When it may start; while it runs, when another worker may take it over if this one stops renewing its lease. */
  readonly dueAt: number;
  /** The number of starts without an end. */
  readonly attempts: number;
  /** The priority of the sync that is to follow, because it was requested while this one ran; null for none. */
  readonly followUpPriority: number | null;
  /** Whether that one is to be full. */
  readonly followUpFull: boolean;
  /** The worker that runs it, and until when it holds the lease. */
  readonly worker: string | null;
  readonly leasedUntil: number | null;
}

const jobColumns = [
  "connection_id",
  "priority",
  "full",
  "due_at",
  "attempts",
  "follow_up_priority",
  "follow_up_full",
  "worker",
  "leased_until",
] as const satisfies (keyof Tables["sync_jobs"])[];

/** The job of a connection; null if no sync waits or runs. */
export async function findJob(db: ReadHandle, connectionId: number): Promise<Job | null> {
  const row = await db
    .selectFrom("sync_jobs")
    .select(jobColumns)
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row === undefined ? null : jobOf(row);
}

/** Writes the job of a connection, replacing the one it has. */
export async function putJob(trx: WriteTransaction, job: Job): Promise<void> {
  const values = {
    priority: job.priority,
    full: job.full ? 1 : 0,
    due_at: job.dueAt,
    attempts: job.attempts,
    follow_up_priority: job.followUpPriority,
    follow_up_full: job.followUpFull ? 1 : 0,
    worker: job.worker,
    leased_until: job.leasedUntil,
  };
  await trx
    .insertInto("sync_jobs")
    .values({ connection_id: job.connectionId, ...values })
    .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(values))
    .execute();
}

export async function deleteJob(trx: WriteTransaction, connectionId: number): Promise<void> {
  await trx.deleteFrom("sync_jobs").where("connection_id", "=", connectionId).execute();
}

/** Which jobs a worker may take. */
export interface JobSearch {
  /** Only those of this provider's users. */
  readonly provider: string;
  readonly now: number;
  /** The largest number of stored nodes of a connection; null for any. */
  readonly maxNodes: number | null;
  /** Connections to leave out. */
  readonly except: readonly number[];
}

/** The next job that is due and has no worker with a valid lease. */
export async function nextJob(trx: WriteTransaction, search: JobSearch): Promise<Job | null> {
  const row = await trx
    .selectFrom("sync_jobs")
    .innerJoin("connections", "connections.id", "sync_jobs.connection_id")
    .innerJoin("users", "users.id", "connections.user_id")
    .select(jobColumns.map((column) => `sync_jobs.${column}` as const))
    .where("users.provider", "=", search.provider)
    .where("sync_jobs.due_at", "<=", search.now)
    .$if(search.maxNodes !== null, (jobs) => jobs.where(hasAtMost(search.maxNodes ?? 0)))
    .where((where) =>
      where.or([where("sync_jobs.worker", "is", null), where("sync_jobs.leased_until", "<=", search.now)]),
    )
    .$if(search.except.length > 0, (jobs) => jobs.where("sync_jobs.connection_id", "not in", search.except))
    .orderBy("sync_jobs.priority")
    .orderBy("sync_jobs.due_at")
    .orderBy("sync_jobs.connection_id")
    .executeTakeFirst();
  return row === undefined ? null : jobOf(row);
}

/** Whether a job's connection has at most this many nodes; does not count further. */
function hasAtMost(nodes: number) {
  return sql<boolean>`(
    select count(*) from (
      select 1 from nodes where nodes.connection_id = sync_jobs.connection_id limit ${nodes + 1}
    ) as some
  ) <= ${nodes}`;
}

/** Whether a job has been due since a time without any worker that holds a valid lease of one. */
export async function areJobsLeft(
  db: ReadHandle,
  { dueBefore, now }: { readonly dueBefore: number; readonly now: number },
): Promise<boolean> {
  const { due, leased } = await db
    .selectFrom("sync_jobs")
    .select((of) => [
      of.fn.countAll<number>().filterWhere("due_at", "<=", dueBefore).as("due"),
      of.fn.countAll<number>().filterWhere("leased_until", ">", now).as("leased"),
    ])
    .executeTakeFirstOrThrow();
  return due > 0 && leased === 0;
}

/** Renews a worker's leases; returns those of the connections whose jobs it still has. */
export async function renewLeases(
  trx: RecordTransaction,
  worker: string,
  connectionIds: readonly number[],
  leasedUntil: number,
): Promise<number[]> {
  const rows = await trx
    .updateTable("sync_jobs")
    .set({ leased_until: leasedUntil })
    .where("worker", "=", worker)
    .where("connection_id", "in", connectionIds)
    .returning("connection_id")
    .execute();
  return rows.map(({ connection_id }) => connection_id);
}

const ofWorker = precompiled((db, connectionId: number, worker: string) =>
  db
    .selectFrom("sync_jobs")
    .select("connection_id")
    .where("connection_id", "=", connectionId)
    .where("worker", "=", worker)
    .$if(profileOf(db).locksRows, (job) => job.forShare()),
);

/**
 * Whether the worker has the connection's job; if so, it has it until the transaction ends, because its row is locked. Asked before every write of a sync, so precompiled.
 */
export async function hasJob(trx: WriteTransaction, connectionId: number, worker: string): Promise<boolean> {
  return (await ofWorker(trx, connectionId, worker)).length > 0;
}

function jobOf(row: Pick<Selectable<Tables["sync_jobs"]>, (typeof jobColumns)[number]>): Job {
  return {
    connectionId: row.connection_id,
    priority: row.priority,
    full: row.full === 1,
    dueAt: row.due_at,
    attempts: row.attempts,
    followUpPriority: row.follow_up_priority,
    followUpFull: row.follow_up_full === 1,
    worker: row.worker,
    leasedUntil: row.leased_until,
  };
}
