import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig } from "../config/config.ts";
import { keyFileOf } from "../secrets/open-secrets.ts";
import { copyDatabase, inspectDatabase } from "../store/database.ts";
import { type CliContext, CommandError } from "./context.ts";
import { backupEncrypter, encryptFile } from "./encrypted-backup.ts";
import { requireDatabase } from "./installation.ts";

interface Options {
  readonly force?: boolean;
  readonly encrypt?: boolean;
}

/**
 * Copies the committed state of the database, also while Clew is running, and checks the copy. It does not contain the key.
 * Texts, titles, names and e-mail addresses are in plain text unless the backup is encrypted.
 */
export async function backup(
  { env, print }: CliContext,
  file: string,
  { force = false, encrypt = false }: Options,
): Promise<void> {
  const { databasePath, dataDir, encryptionKey } = readConfig(env);
  const target = resolve(file);
  requireDatabase(databasePath);
  if (target === databasePath)
    throw new CommandError("The backup cannot be written to the path of the database.");
  if (!force && existsSync(target))
    throw new CommandError(`${target} exists already: choose another path, or use --force.`);
  // Fails before the long work starts.
  const encrypter = encrypt ? backupEncrypter(env) : null;
  // The plain copy stays in the folder of the database.
  const copy = encrypter === null ? target : `${databasePath}.backing-up`;
  try {
    await copyDatabase(databasePath, copy);
    const { schemaVersion, faults } = inspectDatabase(copy);
    if (faults.length > 0) throw new CommandError(`The copy ${copy} is damaged: ${faults.join("; ")}.`);
    if (encrypter !== null) await encryptFile(copy, target, encrypter);
    const { size } = await stat(target);
    print(`${target}: ${size} bytes, schema ${schemaVersion}, checked${encrypt ? ", encrypted" : ""}.`);
  } finally {
    if (copy !== target) for (const suffix of ["", "-wal", "-shm"]) await rm(copy + suffix, { force: true });
  }
  if (!encrypt)
    print("It contains page texts, titles, names and e-mail addresses in plain text; --encrypt encrypts it.");
  const key = encryptionKey === null ? keyFileOf(dataDir) : "ENCRYPTION_KEY";
  print(`It does not contain the key that decrypts its secrets: keep ${key} as well, elsewhere.`);
}
