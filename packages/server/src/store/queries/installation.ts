import { createHash } from "node:crypto";
import type { ReadHandle, WriteTransaction } from "../port.ts";

/** Facts of this installation. */
export interface Installation {
  /** A known text, sealed with the encryption key: only the right key opens it (SIGN-8). */
  readonly sealedKeyCheck: Uint8Array;
  /** The same, sealed with the next key; null unless the key is being changed. */
  readonly nextKeyCheck: Uint8Array | null;
}

/** null before the first start. */
export async function readInstallation(db: ReadHandle): Promise<Installation | null> {
  const row = await db
    .selectFrom("installation")
    .select(["sealed_key_check", "next_key_check"])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    sealedKeyCheck: new Uint8Array(row.sealed_key_check),
    nextKeyCheck: row.next_key_check === null ? null : new Uint8Array(row.next_key_check),
  };
}

/** Replaces the installation's facts. Its fingerprint stays. */
export async function writeInstallation(
  trx: WriteTransaction,
  { sealedKeyCheck, nextKeyCheck }: Installation,
): Promise<void> {
  const facts = { sealed_key_check: sealedKeyCheck, next_key_check: nextKeyCheck };
  const fingerprint = createHash("sha256").update(sealedKeyCheck).digest();
  await trx
    .insertInto("installation")
    .values({ id: 1, fingerprint, ...facts })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(facts))
    .execute();
}
