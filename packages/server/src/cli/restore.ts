import { mkdir, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Config, readConfig } from "../config/config.ts";
import { prepareDataDir } from "../config/data-dir.ts";
import { readSecrets } from "../secrets/open-secrets.ts";
import {
  type CarriedOver,
  copyDatabase,
  openDatabase,
  openReader,
  restoreDatabase,
} from "../store/database.ts";
import type { Database } from "../store/port.ts";
import { withPlainBackup } from "./encrypted-backup.ts";
import { type CliContext, removeDatabase, requireFile, requireIntact } from "./installation.ts";

/**
 * Replaces the database, which may be damaged or missing, with a backup. Keeps the previous database beside it. Sessions,
 * tokens and connections that ended in it after the backup stay ended. Throws and changes nothing if the backup is damaged
 * or has another key, or if a running Clew has the database open.
 */
export async function restore(context: CliContext, file: string): Promise<void> {
  const { env, clock = Date.now, print } = context;
  const config = readConfig(env);
  const database = requireFile(
    config,
    "Stop Clew, restore the dump with pg_restore into an empty database, and run clew verify and clew keys rotate --revoke-old: what was revoked after the backup is back. docs/operations.md has the steps.",
  );
  // Replaces the target of a symbolic link, not the link: SQLite's side files are there too.
  const path = await realpath(database).catch(() => database);
  const source = resolve(file);
  const draft = `${path}.restoring`;
  await prepareDataDir(config);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeDatabase(draft);
  try {
    await withPlainBackup(source, { draft: `${path}.decrypted`, env }, async (plain) => {
      requireIntact(plain, `${source} cannot be restored`);
      await copyDatabase(plain, draft);
      // Migrates the copy to the schema of this version.
      await requireKey(
        await openDatabase({ location: { kind: "sqlite", path: draft }, backUp: false }),
        config,
        context,
      );
    });
    const check = async () => {
      requireIntact(path, "The restored database is damaged, so the previous one was put back");
      await requireKey(await openReader({ kind: "sqlite", path }), config, context);
    };
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

/** Checks that the key opens the secrets of a database, and closes it. */
async function requireKey(
  database: Pick<Database, "read" | "close">,
  config: Config,
  { random }: CliContext,
): Promise<void> {
  try {
    await readSecrets(config, database.read, random);
  } finally {
    await database.close();
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
