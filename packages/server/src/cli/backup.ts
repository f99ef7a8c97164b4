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
 * Copies the database as it is committed, also while Clew serves it, and checks the copy. The key is not in it, but texts,
 * titles, names and e-mail addresses are, in the open unless the backup is encrypted.
 */
export async function backup(
  { env, print }: CliContext,
  file: string,
  { force = false, encrypt = false }: Options,
): Promise<void> {
  const { databasePath, dataDir, encryptionKey } = readConfig(env);
  const target = resolve(file);
  requireDatabase(databasePath);
  if (target === databasePath) throw new CommandError("A backup cannot stand where the database does.");
  if (!force && existsSync(target))
    throw new CommandError(`${target} is there already: name another file, or say --force.`);
  // Before the long work.
  const encrypter = encrypt ? backupEncrypter(env) : null;
  // What is in the open stays where the database is.
  const copy = encrypter === null ? target : `${databasePath}.backing-up`;
  try {
    await copyDatabase(databasePath, copy);
    const { schemaVersion, faults } = inspectDatabase(copy);
    if (faults.length > 0) throw new CommandError(`The copy ${copy} is not sound: ${faults.join("; ")}.`);
    if (encrypter !== null) await encryptFile(copy, target, encrypter);
    const { size } = await stat(target);
    print(`${target}: ${size} bytes, schema ${schemaVersion}, checked${encrypt ? ", encrypted" : ""}.`);
  } finally {
    if (copy !== target) for (const suffix of ["", "-wal", "-shm"]) await rm(copy + suffix, { force: true });
  }
  if (!encrypt)
    print("Page texts, titles, names and e-mail addresses stand in it in the open; see --encrypt.");
  const key = encryptionKey === null ? keyFileOf(dataDir) : "ENCRYPTION_KEY";
  print(`Its secrets open with the key alone, which is not in it: keep ${key} as well, elsewhere.`);
}
