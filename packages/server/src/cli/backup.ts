import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfig } from "../config/read-config.ts";
import { keyFileOf } from "../secrets/open-secrets.ts";
import { copyDatabase } from "../store/sqlite/copy.ts";
import { inspectDatabase } from "../store/sqlite/inspect.ts";
import { requireDatabase } from "./installation.ts";
import { CommandError, type Surroundings } from "./surroundings.ts";

/**
 * Copies the database as it is committed, also while Clew serves it, and checks the copy. The key is not in it: who has
 * both has everything.
 */
export async function backup(
  { env, print }: Surroundings,
  file: string,
  { force = false }: { readonly force?: boolean },
): Promise<void> {
  const { databasePath, dataDir, encryptionKey } = readConfig(env);
  const target = resolve(file);
  requireDatabase(databasePath);
  if (target === databasePath) throw new CommandError("A backup cannot stand where the database does.");
  if (!force && existsSync(target))
    throw new CommandError(`${target} is there already: name another file, or say --force.`);
  await copyDatabase(databasePath, target);
  const { schemaVersion, faults } = inspectDatabase(target);
  if (faults.length > 0) throw new CommandError(`The copy ${target} is not sound: ${faults.join("; ")}.`);
  const { size } = await stat(target);
  print(`${target}: ${size} bytes, schema ${schemaVersion}, checked.`);
  const key = encryptionKey === null ? keyFileOf(dataDir) : "ENCRYPTION_KEY";
  print(`Its secrets open with the key alone, which is not in it: keep ${key} as well, elsewhere.`);
}
