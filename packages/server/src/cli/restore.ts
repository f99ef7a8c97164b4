import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/config.ts";
import { readSecrets } from "../secrets/open-secrets.ts";
import {
  type CarriedOver,
  copyDatabase,
  inspectDatabase,
  openDatabase,
  openReader,
  restoreDatabase,
} from "../store/database.ts";
import { type CliContext, CommandError } from "./context.ts";
import { withPlainBackup } from "./encrypted-backup.ts";

/**
 * Replaces the database, which may be damaged or missing, with a backup. Keeps the previous database beside it. Sessions,
 * tokens and connections that ended in it after the backup stay ended. Throws and changes nothing if the backup is damaged
 * or has another key, or if a running Clew has the database open.
 */
export async function restore(context: CliContext, file: string): Promise<void> {
  const { env, clock, print } = context;
  const config = await atItsPlace(readConfig(env));
  const { databasePath: path } = config;
  const source = resolve(file);
  const draft = `${path}.restoring`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeDatabase(draft);
  try {
    await withPlainBackup(source, { draft: `${path}.decrypted`, env }, (plain) => {
      const { faults } = inspectDatabase(plain);
      if (faults.length > 0) throw new CommandError(`${source} cannot be restored: ${faults.join("; ")}.`);
      return prepare(config, context, { source: plain, draft });
    });
    const check = () => checkResult(config, context);
    const { kept, carried } = await restoreDatabase({ path, draft, now: clock(), check });
    if (kept !== null) print(`The previous database is kept as ${kept}.`);
    for (const line of "reason" in carried ? notCarriedLines(carried.reason) : carriedLines(carried))
      print(line);
    print(
      `Restored ${source} to ${path}, and checked it. Sessions and tokens created after the backup are gone.`,
    );
  } finally {
    await removeDatabase(draft);
  }
}

/** Replaces the target of a symbolic link, not the link: SQLite's side files are there too. */
async function atItsPlace(config: Config): Promise<Config> {
  const databasePath = await realpath(config.databasePath).catch(() => config.databasePath);
  return { ...config, databasePath };
}

/** Copies the backup beside the database, migrates it to the schema of this version and checks its key. */
async function prepare(
  config: Config,
  { random }: CliContext,
  { source, draft }: { readonly source: string; readonly draft: string },
): Promise<void> {
  await copyDatabase(source, draft);
  const database = await openDatabase({ path: draft, backUp: false });
  try {
    await readSecrets(config, database.read, random);
  } finally {
    await database.close();
  }
}

/** Checks the restored database as a start of Clew would. */
async function checkResult(config: Config, { random }: CliContext): Promise<void> {
  const { databasePath: path } = config;
  const { faults } = inspectDatabase(path);
  if (faults.length > 0)
    throw new CommandError(
      `The restored database is damaged, so the previous one was put back: ${faults.join("; ")}.`,
    );
  const reader = openReader(path);
  try {
    await readSecrets(config, reader.read, random);
  } finally {
    await reader.close();
  }
}

function carriedLines(carried: CarriedOver): string[] {
  const kinds: [number, string][] = [
    [carried.revokedTokens, "service tokens stay revoked"],
    [carried.endedSessions, "sessions stay ended"],
    [carried.removedConnections, "workspaces stay disconnected"],
    [carried.deletedAccounts, "accounts stay deleted"],
  ];
  return kinds
    .filter(([count]) => count > 0)
    .map(([count, what]) => `Ended since the backup: ${count} ${what}.`);
}

function notCarriedLines(reason: string): string[] {
  return [
    `Nothing could be carried over from the previous database: ${reason}. Tokens, sessions, workspaces and accounts that were revoked, ended, disconnected or deleted after the backup are back.`,
    "Session tokens are signed with a new key; the keys of the backup only verify. If one of them leaked, run `clew keys rotate --revoke-old`.",
  ];
}

/** Removes a database with SQLite's side files. */
async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", ".unfinished"]) await rm(path + suffix, { force: true });
}
