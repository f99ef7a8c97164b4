import { sql } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { countChanged } from "./statements.ts";

/*
 * A person who is moved to another bucket is marked in both, from before their rows are copied until those of the old bucket are
 * deleted. Triggers refuse each write of a marked person. Writes for all people leave them out by `isSettled`, so that they do not fail.
 */

/** A condition: the person whose id is in this column is not being moved. */
export function isSettled(column: string) {
  return sql<boolean>`${sql.ref(column)} not in (select id from users where moving is not null)`;
}

/** A person as a move finds them in a bucket. */
export interface MarkedPerson {
  readonly provider: string;
  readonly providerUserId: string;
  /** The bucket that they are being moved to; null if they are not. */
  readonly moving: number | null;
}

/** null if the person is not in this bucket. */
export async function findMarked(db: ReadHandle, userId: string): Promise<MarkedPerson | null> {
  const row = await db
    .selectFrom("users")
    .select(["provider", "provider_user_id as providerUserId", "moving"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Changes the mark from one value to another; false if it was neither, or the person is not in this bucket. */
export async function setMark(
  trx: WriteTransaction,
  userId: string,
  { from, to }: { readonly from: number | null; readonly to: number | null },
): Promise<boolean> {
  const update = trx
    .updateTable("users")
    .set({ moving: to })
    .where("id", "=", userId)
    .where((where) => where.or([from, to].map((mark) => where("moving", mark === null ? "is" : "=", mark))));
  return (await countChanged(update)) === 1;
}

/** The number of a person's syncs that a worker has at a time, in milliseconds since the Unix epoch. */
export async function countLeasedSyncs(db: ReadHandle, userId: string, now: number): Promise<number> {
  const row = await db
    .selectFrom("sync_jobs")
    .innerJoin("connections", "connections.id", "sync_jobs.connection_id")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("connections.user_id", "=", userId)
    .where("sync_jobs.worker", "is not", null)
    .where("sync_jobs.leased_until", ">", now)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Ends the leases of a person's syncs and maps, whose workers have ended, so that the next worker begins at once. */
export async function endLeases(trx: WriteTransaction, userId: string): Promise<void> {
  const own = trx.selectFrom("connections").select("id").where("user_id", "=", userId);
  const free = { worker: null, leased_until: null };
  await trx.updateTable("sync_jobs").set(free).where("connection_id", "in", own).execute();
  await trx.updateTable("maps").set(free).where("connection_id", "in", own).execute();
}

/** Whether anybody is being moved to this bucket or from it. */
export async function isAnyoneMoving(db: ReadHandle): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("moving", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Has the text index look at a person's graphs, as if they had been published now. */
export async function republish(trx: WriteTransaction, userId: string, now: number): Promise<void> {
  await trx
    .updateTable("connections")
    .set({ published_at: now })
    .where("user_id", "=", userId)
    .where("published_revision", ">", 0)
    .execute();
}
