import { join } from "node:path";
import type { RandomBytes } from "../model/runtime.ts";
import type { Database, ReadHandle } from "../store/port.ts";
import {
  readInstallation,
  readKeyFingerprint,
  recordKeyFingerprint,
  writeInstallation,
} from "../store/queries/installation.ts";
import { loadOrCreateKeyFile, readKeyFile } from "./key-file.ts";
import { createSecrets, opens, type Secrets, SecretsError } from "./secrets.ts";

/** The place of the encryption key. */
interface KeySettings {
  /** 32 bytes; null if the key file in `dataDir` holds the key. */
  readonly encryptionKey: Uint8Array | null;
  readonly dataDir: string;
}

/**
 * Opens the secrets of the installation in `database`. The first start creates the key. Throws `SecretsError`:
 * `missing_key`, `wrong_key`, `unfinished_change`, or a fault of the key file.
 */
export async function openSecrets(
  settings: KeySettings,
  database: Database,
  random: RandomBytes,
): Promise<Secrets> {
  const isNew = (await readInstallation(database.read)) === null;
  const createsKey = isNew && settings.encryptionKey === null;
  const key = createsKey
    ? await loadOrCreateKeyFile(keyFileOf(settings.dataDir), random)
    : await readKey(settings, database.read);
  const secrets = createSecrets(key, random);
  await verifyKey(database, secrets);
  return secrets;
}

/** Opens the secrets without writing anything. Throws as `openSecrets` does. */
export async function readSecrets(
  settings: KeySettings,
  db: ReadHandle,
  random: RandomBytes,
): Promise<Secrets> {
  const secrets = createSecrets(await readKey(settings, db), random);
  await opensKeyCheck(db, secrets);
  return secrets;
}

/** The file that holds the key if no setting does. */
export const keyFileOf = (dataDir: string) => join(dataDir, "encryption.key");

/** The file that holds the next key while the key is being changed. */
export const nextKeyFileOf = (dataDir: string) => `${keyFileOf(dataDir)}.next`;

/** Never creates a key: a new one could not decrypt the stored secrets. */
async function readKey({ encryptionKey, dataDir }: KeySettings, db: ReadHandle): Promise<Uint8Array> {
  if (encryptionKey !== null) return encryptionKey;
  const path = keyFileOf(dataDir);
  if ((await readKeyFile(nextKeyFileOf(dataDir))) !== null) throw unfinishedChange();
  const key = await readKeyFile(path);
  if (key !== null) return key;
  throw new SecretsError(
    "missing_key",
    `The key file ${path} is missing: restore it, or set ENCRYPTION_KEY to its content${await neededKey(db)}`,
  );
}

/**
 * Identifies a key to people, who may have several: 16 hexadecimal digits that are derived from it. They do not help to find
 * the key.
 */
export const keyFingerprint = (secrets: Secrets): string =>
  Buffer.from(secrets.deriveKey("fingerprint")).toString("hex").slice(0, 16);

/** Names the key of a database, for the end of a message; nothing if it is not known. */
async function neededKey(db: ReadHandle): Promise<string> {
  const needed = await readKeyFingerprint(db);
  return needed === null ? "" : `. The key that this database needs has the fingerprint ${needed}`;
}

const keyCheckContext = "key-check";

/** A sealed value that only the installation's key decrypts. */
export const sealKeyCheck = (secrets: Secrets) => secrets.seal(Buffer.from("clew"), keyCheckContext);

/** Whether a key check was sealed with this key. */
export const isOpenedBy = (keyCheck: Uint8Array, secrets: Secrets) =>
  opens(secrets, keyCheck, keyCheckContext);

/**
 * Verifies at start that the secrets of this database are sealed with this key (SIGN-8). The first start
 * stores the key check. Throws `SecretsError` `wrong_key` or `unfinished_change`.
 */
export async function verifyKey(database: Database, secrets: Secrets): Promise<void> {
  await database.transaction(async (trx) => {
    const fingerprint = keyFingerprint(secrets);
    if (await opensKeyCheck(trx, secrets)) {
      // An earlier Clew changes the key without it.
      if ((await readKeyFingerprint(trx)) !== fingerprint) await recordKeyFingerprint(trx, fingerprint);
      return;
    }
    await writeInstallation(trx, {
      sealedKeyCheck: sealKeyCheck(secrets),
      nextKeyCheck: null,
      keyFingerprint: fingerprint,
    });
  });
}

/**
 * True if the key is the database's; false if no key was ever used. Throws `SecretsError` `wrong_key` or
 * `unfinished_change`.
 */
async function opensKeyCheck(db: ReadHandle, secrets: Secrets): Promise<boolean> {
  const installation = await readInstallation(db);
  if (installation === null) return false;
  if (installation.nextKeyCheck !== null) throw unfinishedChange();
  if (isOpenedBy(installation.sealedKeyCheck, secrets)) return true;
  throw new SecretsError(
    "wrong_key",
    `The encryption key is not the one that this database was set up with: set the right ENCRYPTION_KEY, or restore the key file from the backup. The given key has the fingerprint ${keyFingerprint(secrets)}${await neededKey(db)}`,
  );
}

const unfinishedChange = () =>
  new SecretsError(
    "unfinished_change",
    "A change of the encryption key was interrupted: run `clew keys rotate --encryption` again to finish it",
  );
