import { commandSettings } from "@clew/contract/settings";
import { readConfig } from "../config/config.ts";
import { type Environment, requireSettings } from "../config/read-settings.ts";
import { describeAddress, parsePostgresUrl } from "../model/postgres-address.ts";
import { keyFileOf } from "../secrets/open-secrets.ts";
import { moveDatabase } from "../store/database.ts";
import {
  bringUpToDate,
  type CliContext,
  CommandError,
  requireDatabase,
  requireFile,
  requireIntact,
} from "./installation.ts";
import { requireSecrets } from "./verify.ts";

/**
 * Copies the embedded database into an empty PostgreSQL database and checks the copy: numbers of rows, references between them,
 * and that the key opens all secrets. The file stays as it is. An interrupted copy leaves the other database empty.
 */
export async function move(context: CliContext, { to: given }: { readonly to?: string }): Promise<void> {
  const { env, random, print } = context;
  const config = readConfig(env);
  const path = requireFile(
    config,
    "`clew move` copies a database in a file: leave DATABASE_URL out, and name the other one with --to or NEW_DATABASE_URL.",
  );
  const to = targetOf(given, env);
  const name = describeAddress(parsePostgresUrl(to));
  await requireDatabase(config);
  requireIntact(path, `${path} cannot be moved`);
  await bringUpToDate(context, { kind: "sqlite", path });
  let secrets = 0;
  const rows = await moveDatabase(path, to, async (db) => {
    secrets = (await requireSecrets(name, db, config, random)).count;
  });
  print(`Moved ${path} to ${name}: ${rows} rows; ${secrets} secrets open with the key.`);
  if (config.encryptionKey === null)
    print(`Set ENCRYPTION_KEY to the content of ${keyFileOf(config.dataDir)} on every instance.`);
  print(
    `Set DATABASE_URL to ${name}, and do not serve from ${path} again. Clew builds the text index again after its start.`,
  );
}

/** The URL of the other database. Throws `CommandError` without repeating it. */
function targetOf(given: string | undefined, env: Environment): string {
  const { NEW_DATABASE_URL } = commandSettings;
  const { newDatabaseUrl } = requireSettings({ NEW_DATABASE_URL }, env);
  if (given === undefined && newDatabaseUrl === null)
    throw new CommandError("Name the empty PostgreSQL database with --to or NEW_DATABASE_URL.");
  if (given !== undefined && newDatabaseUrl !== null)
    throw new CommandError("The database to fill is named twice: with --to and NEW_DATABASE_URL.");
  const to = given ?? newDatabaseUrl ?? "";
  if (!/^postgres(ql)?:/.test(to))
    throw new CommandError("The database to fill must be postgres://USER@HOST:PORT/DATABASE.");
  try {
    parsePostgresUrl(to);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CommandError(`--to ${error.message}.`);
  }
  return to;
}
