import { type Selectable, sql } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { precompiled } from "../precompiled.ts";
import type { Tables } from "../schema.ts";

/** The sync that a connection awaits or has under way. Times are milliseconds since the Unix epoch. */
export interface Job {
  readonly connectionId: number;
  /** Smaller numbers go first. */
  readonly priority: number;
  /** Whether also what the provider's search does not list is to be read. */
  readonly full: boolean;
  /** When it may be begun; while it is under way, when another worker may begin it should this one fall silent. */
  readonly dueAt: number;
  /** How often it was begun and did not come to an end. */
  readonly attempts: number;
  /** The priority with which somebody asked, while it was under way, for what it may have missed. */
  readonly askedAgain: number | null;
  /** The worker that has it under way, and until when it is known to live. */
  readonly worker: string | null;
  readonly leasedUntil: number | null;
}

/** The job of a connection; null where it neither awaits a sync nor has one. */
export async function findJob(db: ReadHandle, connectionId: number): Promise<Job | null> {
  const row = await db
    .selectFrom("sync_jobs")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row === undefined ? null : jobOf(row);
}

/** Writes the job of a connection, in the place of the one that it has. */
export async function putJob(trx: WriteTransaction, job: Job): Promise<void> {
  const { connection_id, ...values } = rowOf(job);
  await trx
    .insertInto("sync_jobs")
    .values({ connection_id, ...values })
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
  /** Only connections with at most so many stored nodes; null for any. */
  readonly mostNodes: number | null;
  /** Connections to leave out. */
  readonly except: readonly number[];
}

/** The job whose turn it is: due, and under way nowhere, or with a worker that fell silent. */
export async function nextJob(trx: WriteTransaction, search: JobSearch): Promise<Job | null> {
  const row = await trx
    .selectFrom("sync_jobs")
    .innerJoin("connections", "connections.id", "sync_jobs.connection_id")
    .innerJoin("users", "users.id", "connections.user_id")
    .selectAll("sync_jobs")
    .where("users.provider", "=", search.provider)
    .where("sync_jobs.due_at", "<=", search.now)
    .$if(search.mostNodes !== null, (jobs) => jobs.where(hasAtMost(search.mostNodes ?? 0)))
    .where((where) =>
      where.or([where("sync_jobs.worker", "is", null), where("sync_jobs.leased_until", "<=", search.now)]),
    )
    .where("sync_jobs.connection_id", "not in", search.except)
    .orderBy("sync_jobs.priority")
    .orderBy("sync_jobs.due_at")
    .orderBy("sync_jobs.connection_id")
    .executeTakeFirst();
  return row === undefined ? null : jobOf(row);
}

/** Whether a job's connection has at most so many nodes; it counts no further. */
function hasAtMost(nodes: number) {
  return sql<boolean>`(
    select count(*) from (
      select 1 from nodes where nodes.connection_id = sync_jobs.connection_id limit ${nodes + 1}
    ) as some
  ) <= ${nodes}`;
}

/** Says that a worker lives, and returns those of the connections whose jobs it has. */
export async function renewLeases(
  trx: WriteTransaction,
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
    .where("worker", "=", worker),
);

/** Whether the worker has the connection's job under way. Asked before every write of a sync, so precompiled. */
export async function hasJob(trx: WriteTransaction, connectionId: number, worker: string): Promise<boolean> {
  return (await ofWorker(trx, connectionId, worker)).length > 0;
}

function jobOf(row: Selectable<Tables["sync_jobs"]>): Job {
  return {
    connectionId: row.connection_id,
    priority: row.priority,
    full: row.full === 1,
    dueAt: row.due_at,
    attempts: row.attempts,
    askedAgain: row.asked_again,
    worker: row.worker,
    leasedUntil: row.leased_until,
  };
}

function rowOf(job: Job): Selectable<Tables["sync_jobs"]> {
  return {
    connection_id: job.connectionId,
    priority: job.priority,
    full: job.full ? 1 : 0,
    due_at: job.dueAt,
    attempts: job.attempts,
    asked_again: job.askedAgain,
    worker: job.worker,
    leased_until: job.leasedUntil,
  };
}
