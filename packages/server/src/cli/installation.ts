import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/config.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { openDatabase } from "../store/database.ts";
import type { Database } from "../store/port.ts";
import { type CliContext, CommandError } from "./context.ts";

/** An installation of Clew that a command works on, beside the Clew that may serve it. */
export interface Installation {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
}

/**
 * Opens the installation that the settings name, has `work` done on it and closes it. Throws `CommandError` where there
 * is none: a command that was given the wrong folder must not leave an empty installation there.
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

/** Throws `CommandError` where there is no database. */
export function requireDatabase(path: string): void {
  if (existsSync(path)) return;
  throw new CommandError(
    `There is no database at ${path}: DATA_DIR or DATABASE_URL must name the installation.`,
  );
}
