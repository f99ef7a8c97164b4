import type { Selectable } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";

/** A grant that is still to be revoked at the provider. Times are milliseconds since the Unix epoch. */
export interface Revocation {
  readonly id: number;
  readonly provider: string;
  readonly sealedToken: Uint8Array;
  /** Failed attempts. */
  readonly attempts: number;
}

export async function insertRevocation(
  trx: WriteTransaction,
  revocation: { readonly provider: string; readonly sealedToken: Uint8Array; readonly dueAt: number },
): Promise<void> {
  const { provider, sealedToken, dueAt } = revocation;
  const row = { provider, sealed_token: sealedToken, due_at: dueAt };
  await trx.insertInto("revocations").values(row).execute();
}

/** The provider's revocation that has been due longest; null if none is due. */
export async function dueRevocation(
  db: ReadHandle,
  provider: string,
  now: number,
): Promise<Revocation | null> {
  const row = await db
    .selectFrom("revocations")
    .selectAll()
    .where("provider", "=", provider)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .executeTakeFirst();
  return row === undefined ? null : revocationOf(row);
}

/** Counts a failed attempt, and sets when the next one is due. */
export async function postponeRevocation(trx: WriteTransaction, id: number, dueAt: number): Promise<void> {
  await trx
    .updateTable("revocations")
    .set(({ eb }) => ({ attempts: eb("attempts", "+", 1), due_at: dueAt }))
    .where("id", "=", id)
    .execute();
}

export async function deleteRevocation(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom("revocations").where("id", "=", id).execute();
}

/** Revocations with an id above `after`, in order. */
export async function revocationsAfter(db: ReadHandle, after: number, limit: number): Promise<Revocation[]> {
  const rows = await db
    .selectFrom("revocations")
    .selectAll()
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(revocationOf);
}

function revocationOf({
  id,
  provider,
  sealed_token,
  attempts,
}: Selectable<Tables["revocations"]>): Revocation {
  return { id, provider, sealedToken: new Uint8Array(sealed_token), attempts };
}

/** Replaces the sealed token of a revocation. */
export async function replaceRevocationSeal(
  trx: WriteTransaction,
  id: number,
  sealedToken: Uint8Array,
): Promise<void> {
  await trx.updateTable("revocations").set({ sealed_token: sealedToken }).where("id", "=", id).execute();
}
