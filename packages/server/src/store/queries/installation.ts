import { createHash } from "node:crypto";
import { schemaVersion } from "../migrate.ts";
import { upkeep } from "../migrations/0022-upkeep.ts";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import { countChanged } from "./statements.ts";

/** Facts of this installation. */
export interface Installation {
  /** A known text, sealed with the encryption key: only the right key opens it (SIGN-8). */
  readonly sealedKeyCheck: Uint8Array;
  /** The same, sealed with the next key; null unless the key is being changed. */
  readonly nextKeyCheck: Uint8Array | null;
}

/** The facts to write. */
interface WrittenInstallation extends Installation {
  /** Identifies the key that sealed `sealedKeyCheck`; stays if left out. */
  readonly keyFingerprint?: string;
}

/** null before the first start. */
export async function readInstallation(db: ReadHandle): Promise<Installation | null> {
  const installation = await db
    .selectFrom("installation")
    .select(["sealed_key_check as sealedKeyCheck", "next_key_check as nextKeyCheck"])
    .executeTakeFirst();
  return installation ?? null;
}

/** Replaces the installation's facts. Its fingerprint stays. */
export async function writeInstallation(
  trx: WriteTransaction,
  { sealedKeyCheck, nextKeyCheck, keyFingerprint }: WrittenInstallation,
): Promise<void> {
  const facts = {
    sealed_key_check: sealedKeyCheck,
    next_key_check: nextKeyCheck,
    key_fingerprint: keyFingerprint,
  };
  const fingerprint = createHash("sha256").update(sealedKeyCheck).digest();
  await trx
    .insertInto("installation")
    .values({ id: 1, fingerprint, ...facts })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(facts))
    .execute();
}

/** The id of the installation; null before the first start. */
export async function readFingerprint(db: ReadHandle): Promise<Uint8Array | null> {
  const installation = await db.selectFrom("installation").select("fingerprint").executeTakeFirst();
  return installation?.fingerprint ?? null;
}

/** The fingerprint of the encryption key; null if the database has an earlier schema, or no Clew has recorded it yet. */
export async function readKeyFingerprint(db: ReadHandle): Promise<string | null> {
  if ((await schemaVersion(db)) < upkeep.version) return null;
  const row = await db.selectFrom("installation").select("key_fingerprint as fingerprint").executeTakeFirst();
  return row?.fingerprint ?? null;
}

/** Records which key seals the secrets. */
export async function recordKeyFingerprint(trx: RecordTransaction, fingerprint: string): Promise<void> {
  await trx.updateTable("installation").set({ key_fingerprint: fingerprint }).execute();
}

/** When the last good backup was made that Clew knows of; null for none. */
export async function readLastBackup(db: ReadHandle): Promise<number | null> {
  const row = await db.selectFrom("installation").select("backed_up_at as at").executeTakeFirst();
  return row?.at ?? null;
}

/** Records when a backup was complete and checked. */
export async function recordBackup(trx: RecordTransaction, at: number): Promise<void> {
  await trx.updateTable("installation").set({ backed_up_at: at }).execute();
}

/** The id of the installation. Throws before the first start. */
export async function requireFingerprint(db: ReadHandle): Promise<Uint8Array> {
  const fingerprint = await readFingerprint(db);
  if (fingerprint === null) throw new Error("The installation has no id yet");
  return fingerprint;
}

/** The sealed key of clients' registrations; null before the first one. */
export async function readClientKey(db: ReadHandle): Promise<Uint8Array | null> {
  const row = await db.selectFrom("installation").select("sealed_client_key as key").executeTakeFirst();
  return row?.key ?? null;
}

/** Stores that key; with null, the next registration makes another. Throws before the installation's facts are written. */
export async function writeClientKey(trx: WriteTransaction, key: Uint8Array | null): Promise<void> {
  if ((await countChanged(trx.updateTable("installation").set({ sealed_client_key: key }))) !== 1)
    throw new Error("The installation has no row yet");
}
