import type { WriteTransaction } from "../port.ts";

/** Remembers a sign-in that has begun, by the SHA-256 of its state and of its browser's cookie (SIGN-2). */
export async function beginAttempt(
  trx: WriteTransaction,
  attempt: { stateHash: Uint8Array; browserHash: Uint8Array; expiresAt: number },
): Promise<void> {
  await trx
    .insertInto("sign_in_attempts")
    .values({
      state_hash: attempt.stateHash,
      browser_hash: attempt.browserHash,
      expires_at: attempt.expiresAt,
    })
    .execute();
}

/**
 * Uses an attempt up: true exactly once, and only where state and browser both match and it has not expired.
 * A mismatch leaves it usable (SIGN-2).
 */
export async function consumeAttempt(
  trx: WriteTransaction,
  attempt: { stateHash: Uint8Array; browserHash: Uint8Array },
  now: number,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("sign_in_attempts")
    .where("state_hash", "=", attempt.stateHash)
    .where("browser_hash", "=", attempt.browserHash)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Deletes the attempts that have expired; returns how many. */
export async function purgeAttempts(trx: WriteTransaction, now: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("sign_in_attempts")
    .where("expires_at", "<=", now)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
