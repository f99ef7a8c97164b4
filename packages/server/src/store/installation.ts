import type { Db } from "./database.ts";

/** Facts of this installation. */
export interface Installation {
  /** A known text, sealed with the encryption key: whoever opens it has the right key (SIGN-8). */
  readonly sealedKeyCheck: Uint8Array;
}

/** The installation's facts; null before they were first written. */
export async function readInstallation(db: Db): Promise<Installation | null> {
  const row = await db.selectFrom("installation").select("sealed_key_check").executeTakeFirst();
  return row === undefined ? null : { sealedKeyCheck: new Uint8Array(row.sealed_key_check) };
}

/** Writes the installation's facts, in place of any there were. */
export async function writeInstallation(db: Db, { sealedKeyCheck }: Installation): Promise<void> {
  const facts = { sealed_key_check: sealedKeyCheck };
  await db
    .insertInto("installation")
    .values({ id: 1, ...facts })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(facts))
    .execute();
}
