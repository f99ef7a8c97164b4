import { mkdir } from "node:fs/promises";
import { readConfig } from "../config/config.ts";
import { openDatabase } from "../store/database.ts";
import type { CliContext } from "./context.ts";

/** Brings the database to this program's schema, as a start of Clew does (OPS-4); makes it where there is none. */
export async function migrate({ env, print }: CliContext): Promise<void> {
  const config = readConfig(env);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = await openDatabase({ path: config.databasePath });
  try {
    print(`${config.databasePath} has schema ${await database.schemaVersion()}.`);
  } finally {
    await database.close();
  }
}
