import type { ReadHandle, WriteTransaction } from "../port.ts";
import { countChanged } from "./statements.ts";

/** A sealed key that signs session tokens (SIGN-8). Times are milliseconds since the Unix epoch. */
export interface SealedSigningKey {
  readonly kid: string;
  readonly sealedSecret: Uint8Array;
  readonly createdAt: number;
  /** The time since which it only verifies; null for the key that signs. */
  readonly retiredAt: number | null;
}

export async function insertSigningKey(
  trx: WriteTransaction,
  key: { kid: string; sealedSecret: Uint8Array; createdAt: number },
): Promise<void> {
  await trx
    .insertInto("signing_keys")
    .values({ kid: key.kid, sealed_secret: key.sealedSecret, created_at: key.createdAt })
    .execute();
}

/** Every key that may still verify, newest first. */
export function signingKeys(db: ReadHandle): Promise<SealedSigningKey[]> {
  return db
    .selectFrom("signing_keys")
    .select(["kid", "sealed_secret as sealedSecret", "created_at as createdAt", "retired_at as retiredAt"])
    .orderBy("created_at", "desc")
    .orderBy("kid")
    .execute();
}

/** Retires every key but one. Keys that are retired already keep their time (SESS-7). */
export async function retireSigningKeys(
  trx: WriteTransaction,
  { exceptKid, now }: { exceptKid: string; now: number },
): Promise<void> {
  await trx
    .updateTable("signing_keys")
    .set({ retired_at: now })
    .where("kid", "<>", exceptKid)
    .where("retired_at", "is", null)
    .execute();
}

/** Deletes every key but one, valid signatures or not; returns how many. */
export function deleteSigningKeys(trx: WriteTransaction, exceptKid: string): Promise<number> {
  return countChanged(trx.deleteFrom("signing_keys").where("kid", "<>", exceptKid));
}

/** Adds the keys of another bucket, so that they verify here what they signed there. They sign nothing here: they are retired by `now`. */
export async function adoptSigningKeys(
  trx: WriteTransaction,
  keys: readonly SealedSigningKey[],
  now: number,
): Promise<void> {
  for (const { kid, sealedSecret, createdAt, retiredAt } of keys) {
    const retired = { retired_at: retiredAt ?? now };
    await trx
      .insertInto("signing_keys")
      .values({ kid, sealed_secret: sealedSecret, created_at: createdAt, ...retired })
      // Known from an earlier move, since when it may have signed more; or the one that signs here, which goes on.
      .onConflict((conflict) =>
        conflict.column("kid").doUpdateSet(retired).where("signing_keys.retired_at", "<", retired.retired_at),
      )
      .execute();
  }
}

/** Replaces a key's sealed secret. */
export async function replaceSealedSecret(
  trx: WriteTransaction,
  kid: string,
  sealedSecret: Uint8Array,
): Promise<void> {
  await trx.updateTable("signing_keys").set({ sealed_secret: sealedSecret }).where("kid", "=", kid).execute();
}

/** Deletes the keys that retired before a time; returns how many. */
export function purgeSigningKeys(trx: WriteTransaction, retiredBefore: number): Promise<number> {
  return countChanged(trx.deleteFrom("signing_keys").where("retired_at", "<", retiredBefore));
}
