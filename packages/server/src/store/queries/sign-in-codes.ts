import type { ReadHandle, WriteTransaction } from "../port.ts";

/** Remembers a one-time code by its SHA-256, and forgets those that have expired (SIGN-12). */
export async function insertSignInCode(
  trx: WriteTransaction,
  code: { hash: Uint8Array; expiresAt: number },
  now: number,
): Promise<void> {
  await trx.deleteFrom("sign_in_codes").where("expires_at", "<=", now).execute();
  await trx
    .insertInto("sign_in_codes")
    .values({ code_hash: code.hash, expires_at: code.expiresAt })
    .execute();
}

/** The hashes of all codes that are good now. */
export async function liveSignInCodes(db: ReadHandle, now: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom("sign_in_codes")
    .select("code_hash")
    .where("expires_at", ">", now)
    .execute();
  return rows.map((row) => new Uint8Array(row.code_hash));
}

/** Uses a code up: true exactly once. */
export async function deleteSignInCode(trx: WriteTransaction, hash: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("sign_in_codes")
    .where("code_hash", "=", hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
