import type { NamedObject } from "@clew/provider";
import { type Selectable, sql } from "kysely";
import type { Connection } from "../../model/connection.ts";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { precompiled } from "./precompiled.ts";
import { profileOf } from "./profile.ts";

/**
 * How much a job reads, each with all before it: what was named; the latest edits; all that the provider's search lists;
 * and also what that does not list. With their numbers in the database.
 */
const extentNumbers = { named: 3, edits: 2, whole: 0, full: 1 } as const;

export type Extent = keyof typeof extentNumbers;

const extents = Object.keys(extentNumbers) as readonly Extent[];

/** Whether one extent has all of another. */
export function includes(one: Extent, other: Extent): boolean {
  return extents.indexOf(one) >= extents.indexOf(other);
}

/** The extent of a job, and how soon it is to run. */
export interface Wish {
  /** Lower numbers go first. */
  readonly priority: number;
  readonly extent: Extent;
  /** Read by themselves, whatever the extent. */
  readonly named: readonly NamedObject[];
}

/** A connection's waiting or running sync. Times are milliseconds since the Unix epoch. */
export interface Job extends Wish {
  readonly connectionId: number;
  /** When it may start; while it runs, when another worker may take it over if this one stops renewing its lease. */
  readonly dueAt: number;
  /** The number of starts without an end. */
  readonly attempts: number;
  /** The sync that is to follow, because it was requested while this one ran; null for none. */
  readonly followUp: Wish | null;
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
  "named",
  "follow_up_named",
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
    full: extentNumbers[job.extent],
    named: storedNames(job.named),
    due_at: job.dueAt,
    attempts: job.attempts,
    follow_up_priority: job.followUp?.priority ?? null,
    follow_up_full: extentNumbers[job.followUp?.extent ?? "whole"],
    follow_up_named: storedNames(job.followUp?.named ?? []),
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
  /** Only those of connections to these sources, by their slugs. */
  readonly providers: readonly string[];
  readonly now: number;
  /** The largest number of stored nodes of a connection; null for any. */
  readonly maxNodes: number | null;
  /** Connections to leave out. */
  readonly except: readonly number[];
}

/** A job, and the slug of its connection's source. */
export type FoundJob = Job & Pick<Connection, "provider">;

/** The next job that is due and has no worker with a valid lease. */
export async function nextJob(trx: WriteTransaction, search: JobSearch): Promise<FoundJob | null> {
  const row = await trx
    .selectFrom("sync_jobs")
    .innerJoin("connections", "connections.id", "sync_jobs.connection_id")
    .innerJoin("users", "users.id", "connections.user_id")
    .select(jobColumns.map((column) => `sync_jobs.${column}` as const))
    .select("connections.provider")
    .where("connections.provider", "in", search.providers)
    .where("users.moving", "is", null)
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
  return row === undefined ? null : { ...jobOf(row), provider: row.provider };
}

/** Whether a job's connection has at most this many nodes; does not count further. */
function hasAtMost(nodes: number) {
  return sql<boolean>`(
    select count(*) from (
      select 1 from nodes where nodes.connection_id = sync_jobs.connection_id limit ${nodes + 1}
    ) as found
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

/** Renews a worker's leases; returns those of the connections whose jobs it still has, and whose owners are not being moved. */
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
    .where("connection_id", "in", (settled) =>
      settled
        .selectFrom("connections")
        .select("id")
        .where("id", "in", connectionIds)
        .where(isSettled("user_id")),
    )
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
  const { follow_up_priority: priority } = row;
  return {
    connectionId: row.connection_id,
    priority: row.priority,
    extent: extentOf(row.full),
    named: namesOf(row.named),
    dueAt: row.due_at,
    attempts: row.attempts,
    followUp:
      priority === null
        ? null
        : { priority, extent: extentOf(row.follow_up_full), named: namesOf(row.follow_up_named) },
    worker: row.worker,
    leasedUntil: row.leased_until,
  };
}

function extentOf(stored: number): Extent {
  return extents.find((extent) => extentNumbers[extent] === stored) ?? "whole";
}

function storedNames(named: readonly NamedObject[]): string | null {
  return named.length === 0 ? null : JSON.stringify(named);
}

function namesOf(stored: string | null): readonly NamedObject[] {
  // Written by `putJob`.
  return stored === null ? [] : (JSON.parse(stored) as NamedObject[]);
}
