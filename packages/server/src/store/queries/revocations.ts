import { sql } from "kysely";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";

/** A grant that is still to be revoked at the provider. Times are milliseconds since the Unix epoch. */
export interface Revocation {
  readonly id: number;
  readonly provider: string;
  readonly sealedToken: Uint8Array;
  /** Failed attempts. */
  readonly attempts: number;
}

const columns = ["id", "provider", "sealed_token as sealedToken", "attempts"] as const;

export async function insertRevocation(
  trx: WriteTransaction,
  revocation: { readonly provider: string; readonly sealedToken: Uint8Array; readonly dueAt: number },
): Promise<void> {
  const { provider, sealedToken, dueAt } = revocation;
  const row = { provider, sealed_token: sealedToken, due_at: dueAt };
  await trx.insertInto("revocations").values(row).execute();
}

/** The source's revocation that has been due longest; null if none is due. */
export async function dueRevocation(
  db: ReadHandle,
  provider: string,
  now: number,
): Promise<Revocation | null> {
  const revocation = await db
    .selectFrom("revocations")
    .select(columns)
    .where("provider", "=", provider)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(sql.lit(1))
    .executeTakeFirst();
  return revocation ?? null;
}

/** Counts a failed attempt, and sets when the next one is due. */
export async function postponeRevocation(trx: WriteTransaction, id: number, dueAt: number): Promise<void> {
  await trx
    .updateTable("revocations")
    .set(({ eb }) => ({ attempts: eb("attempts", "+", 1), due_at: dueAt }))
    .where("id", "=", id)
    .execute();
}

export async function deleteRevocation(trx: RecordTransaction, id: number): Promise<void> {
  await trx.deleteFrom("revocations").where("id", "=", id).execute();
}

/** Revocations with an id above `after`, in order. */
export function revocationsAfter(db: ReadHandle, after: number, limit: number): Promise<Revocation[]> {
  return db
    .selectFrom("revocations")
    .select(columns)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Replaces the sealed token of a revocation. */
export async function replaceRevocationSeal(
  trx: WriteTransaction,
  id: number,
  sealedToken: Uint8Array,
): Promise<void> {
  await trx.updateTable("revocations").set({ sealed_token: sealedToken }).where("id", "=", id).execute();
}
