import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig } from "../config/config.ts";
import { keyFileOf } from "../secrets/open-secrets.ts";
import { copyDatabase } from "../store/database.ts";
import { backupEncrypter, encryptFile } from "./encrypted-backup.ts";
import {
  type CliContext,
  CommandError,
  removeDatabase,
  requireDatabase,
  requireFile,
  requireIntact,
} from "./installation.ts";

/**
 * Copies the committed state of the database, also while Clew is running, and checks the copy. It does not contain the key.
 * Texts, titles, names and e-mail addresses are in plain text unless the backup is encrypted.
 */
export async function backup(
  { env, print }: CliContext,
  file: string,
  { force = false, encrypt = false }: { readonly force?: boolean; readonly encrypt?: boolean },
): Promise<void> {
  const config = readConfig(env);
  const { dataDir, encryptionKey } = config;
  const databasePath = requireFile(
    config,
    "Back it up with pg_dump --format=custom, which reads one consistent snapshot while Clew runs; the text index may be left out with --exclude-table-data='text_*'. It does not contain ENCRYPTION_KEY: keep that as well, elsewhere. docs/operations.md has the steps.",
  );
  const target = resolve(file);
  await requireDatabase(config);
  if (target === databasePath)
    throw new CommandError("The backup cannot be written to the path of the database.");
  if (!force && existsSync(target))
    throw new CommandError(`${target} exists already: choose another path, or use --force.`);
  // Fails before the long work starts.
  const encrypter = encrypt ? await backupEncrypter(env) : null;
  // The plain copy stays in the folder of the database.
  const copy = encrypter === null ? target : `${databasePath}.backing-up`;
  try {
    await copyDatabase(databasePath, copy);
    const schemaVersion = requireIntact(copy, `The copy ${copy} is damaged`);
    if (encrypter !== null) await encryptFile(copy, target, encrypter);
    const { size } = await stat(target);
    print(`${target}: ${size} bytes, schema ${schemaVersion}, checked${encrypt ? ", encrypted" : ""}.`);
  } finally {
    if (copy !== target) await removeDatabase(copy);
  }
  if (!encrypt)
    print("It contains page texts, titles, names and e-mail addresses in plain text; --encrypt encrypts it.");
  const key = encryptionKey === null ? keyFileOf(dataDir) : "ENCRYPTION_KEY";
  print(`It does not contain the key that decrypts its secrets: keep ${key} as well, elsewhere.`);
}
