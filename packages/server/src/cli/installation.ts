import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type Config, readConfig } from "../config/config.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { openDatabase } from "../store/database.ts";
import type { Database } from "../store/port.ts";
import { type CliContext, CommandError } from "./context.ts";

/** An installation that a command works on, possibly while Clew is running. */
export interface Installation {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
}

/**
 * Opens the installation that the settings name, runs `work` and closes it. Throws `CommandError` if there is none, so
 * that a command with the wrong folder does not create an empty installation.
 */
export async function withInstallation<Result>(
  { env, random }: Pick<CliContext, "env" | "random">,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(env);
  requireDatabase(config.databasePath);
  const database = await openDatabase({ path: config.databasePath });
  try {
    const secrets = await openSecrets(config, database, random);
    return await work({ config, database, secrets });
  } finally {
    await database.close();
  }
}

/** Throws `CommandError` if there is no database. */
export function requireDatabase(path: string): void {
  if (existsSync(path)) return;
  throw new CommandError(
    `There is no database at ${path}. Set DATA_DIR or DATABASE_URL to those of the installation.`,
  );
}

/** Migrates the database to the schema of this version, as `serve` does (OPS-4). Creates a missing database. */
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
