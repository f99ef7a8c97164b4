import { join } from "node:path";
import type { RandomBytes } from "../model/runtime.ts";
import type { Database, ReadHandle } from "../store/port.ts";
import { readInstallation } from "../store/queries/installation.ts";
import { SecretsError } from "./error.ts";
import { loadOrCreateKeyFile, readKeyFile } from "./key-file.ts";
import { createSecrets, type Secrets } from "./secrets.ts";
import { opensKeyCheck, unfinishedChange, verifyKey } from "./verify-key.ts";

/** Where the key is. */
interface KeySettings {
  /** 32 bytes; null where the key file in `dataDir` holds them. */
  readonly encryptionKey: Uint8Array | null;
  readonly dataDir: string;
}

/**
 * The secrets of the installation that `database` holds; the first start makes its key. Throws `SecretsError`:
 * `missing_key` or `wrong_key` where the installation has another one, or what is wrong with the key file.
 */
export async function openSecrets(
  settings: KeySettings,
  database: Database,
  random: RandomBytes,
): Promise<Secrets> {
  const isNew = (await readInstallation(database.read)) === null;
  const key = isNew ? await firstKey(settings, random) : await readKey(settings);
  const secrets = createSecrets(key, random);
  await verifyKey(database, secrets);
  return secrets;
}

/** The same for a database that is only read. */
export async function readSecrets(
  settings: KeySettings,
  db: ReadHandle,
  random: RandomBytes,
): Promise<Secrets> {
  const secrets = createSecrets(await readKey(settings), random);
  await opensKeyCheck(db, secrets);
  return secrets;
}

/** The file that holds the key where no setting does. */
export const keyFileOf = (dataDir: string) => join(dataDir, "encryption.key");

/** Holds the key that is to come, while the key is being changed. */
export const nextKeyFileOf = (dataDir: string) => `${keyFileOf(dataDir)}.next`;

async function firstKey({ encryptionKey, dataDir }: KeySettings, random: RandomBytes): Promise<Uint8Array> {
  return encryptionKey ?? (await loadOrCreateKeyFile(keyFileOf(dataDir), random));
}

/** A key that was lost is not made anew: nothing would open with it. */
async function readKey({ encryptionKey, dataDir }: KeySettings): Promise<Uint8Array> {
  if (encryptionKey !== null) return encryptionKey;
  const path = keyFileOf(dataDir);
  if ((await readKeyFile(nextKeyFileOf(dataDir))) !== null) throw unfinishedChange();
  const key = await readKeyFile(path);
  if (key !== null) return key;
  throw new SecretsError(
    "missing_key",
    `The key file ${path} is missing: put it back, or give its content as ENCRYPTION_KEY`,
  );
}
