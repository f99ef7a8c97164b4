import type { ReadHandle, WriteTransaction } from "../port.ts";
import { countChanged, countRows } from "./statements.ts";

/** The purpose of a sign-in that was begun. */
export interface AttemptPurpose {
  /** The slug of the source. */
  readonly provider: string;
  /** The session whose account gets the connection; null if the sign-in opens one. */
  readonly adding: { readonly userId: string; readonly sessionId: string } | null;
}

/**
 * Stores a begun sign-in by the SHA-256 of its state and of its browser's cookie (SIGN-2), and keeps the latest `maxAttempts` of all
 * people.
 */
export async function beginAttempt(
  trx: WriteTransaction,
  attempt: AttemptPurpose & { stateHash: Uint8Array; browserHash: Uint8Array; expiresAt: number },
  maxAttempts: number,
): Promise<void> {
  const tooMany = (await countRows(trx.selectFrom("sign_in_attempts"))) - maxAttempts + 1;
  if (tooMany > 0) {
    const all = trx.selectFrom("sign_in_attempts").select("state_hash");
    const oldest = all.orderBy("expires_at").limit(tooMany);
    await trx.deleteFrom("sign_in_attempts").where("state_hash", "in", oldest).execute();
  }
  await trx
    .insertInto("sign_in_attempts")
    .values({
      state_hash: attempt.stateHash,
      browser_hash: attempt.browserHash,
      expires_at: attempt.expiresAt,
      provider: attempt.provider,
      user_id: attempt.adding?.userId ?? null,
      session_id: attempt.adding?.sessionId ?? null,
    })
    .execute();
}

/** Uses an attempt: its purpose exactly once, and only if state and browser match. A mismatch leaves it usable (SIGN-2). */
export async function consumeAttempt(
  trx: WriteTransaction,
  attempt: { stateHash: Uint8Array; browserHash: Uint8Array },
  now: number,
): Promise<AttemptPurpose | null> {
  const used = await trx
    .deleteFrom("sign_in_attempts")
    .where("state_hash", "=", attempt.stateHash)
    .where("browser_hash", "=", attempt.browserHash)
    .where("expires_at", ">", now)
    .returning(["provider", "user_id as userId", "session_id as sessionId"])
    .executeTakeFirst();
  if (used === undefined) return null;
  const { provider, userId, sessionId } = used;
  return { provider, adding: userId === null || sessionId === null ? null : { userId, sessionId } };
}

/** Deletes expired attempts; returns how many. */
export function purgeAttempts(trx: WriteTransaction, now: number): Promise<number> {
  return countChanged(trx.deleteFrom("sign_in_attempts").where("expires_at", "<=", now));
}

/** Stores a one-time code by its SHA-256, and deletes expired ones (SIGN-12). */
export async function insertSignInCode(
  trx: WriteTransaction,
  code: { hash: Uint8Array; expiresAt: number },
  now: number,
): Promise<void> {
  await trx.deleteFrom("sign_in_codes").where("expires_at", "<=", now).execute();
  const row = { code_hash: code.hash, expires_at: code.expiresAt };
  await trx.insertInto("sign_in_codes").values(row).execute();
}

/** The hashes of all valid codes. */
export async function liveSignInCodes(db: ReadHandle, now: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom("sign_in_codes")
    .select("code_hash")
    .where("expires_at", ">", now)
    .execute();
  return rows.map((row) => row.code_hash);
}

/** Uses a code: true exactly once. */
export async function deleteSignInCode(trx: WriteTransaction, hash: Uint8Array): Promise<boolean> {
  return (await countChanged(trx.deleteFrom("sign_in_codes").where("code_hash", "=", hash))) === 1;
}
