import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import { syncFolder } from "../files/sync-folder.ts";
import { readSecrets } from "../secrets/open-secrets.ts";
import { openDatabase } from "../store/database.ts";
import { type CarriedOver, carryOver, isSameInstallation } from "../store/sqlite/carry-over.ts";
import { copyDatabase } from "../store/sqlite/copy.ts";
import { openForWriting } from "../store/sqlite/file.ts";
import { inspectDatabase } from "../store/sqlite/inspect.ts";
import { openAlone } from "../store/sqlite/lock.ts";
import { CommandError, type Surroundings } from "./surroundings.ts";

/**
 * Puts a backup in the place of the database. The one that was there is kept beside it, and what was ended in it since the
 * backup stays ended: revoked tokens, ended sessions, deleted accounts and disconnected workspaces. Nothing is changed
 * where the backup is not sound, the key is not its own, or a Clew has the database open: then it throws.
 */
export async function restore(surroundings: Surroundings, file: string): Promise<void> {
  const { env, clock, print } = surroundings;
  const config = readConfig(env);
  const { databasePath: path } = config;
  const source = resolve(file);
  const { faults } = inspectDatabase(source);
  if (faults.length > 0) throw new CommandError(`${source} cannot be restored: ${faults.join("; ")}.`);
  const draft = `${path}.restoring`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeDatabase(draft);
  try {
    await prepare(config, surroundings, { source, draft });
    const { carried, before } = await replace(path, draft, clock());
    if (before !== null) print(`The database as it was is kept as ${before}.`);
    for (const line of carried === null ? [] : told(carried)) print(line);
    print(`${path} is what ${source} was. Sessions and tokens that began after it are gone.`);
  } finally {
    await removeDatabase(draft);
  }
}

/** Copies the backup beside the database, brings it to this program's schema and sees that the key is its own. */
async function prepare(
  config: Config,
  { random }: Surroundings,
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

async function replace(
  path: string,
  draft: string,
  now: number,
): Promise<{ carried: CarriedOver | null; before: string | null }> {
  if (!existsSync(path)) {
    await rename(draft, path);
    return { carried: null, before: null };
  }
  const current = openAlone(path);
  if (current === null)
    throw new CommandError(`Another process has ${path} open: stop Clew first. Nothing was changed.`);
  let carried: CarriedOver | null = null;
  try {
    const restored = openForWriting(draft);
    try {
      if (isSameInstallation(current, restored)) carried = carryOver(current, restored);
      restored.pragma("wal_checkpoint(truncate)");
    } finally {
      restored.close();
    }
    current.pragma("wal_checkpoint(truncate)");
  } finally {
    current.close();
  }
  const before = `${path}.before-restore-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  await rename(path, before);
  await rename(draft, path);
  await syncFolder(dirname(path));
  return { carried, before };
}

function told(carried: CarriedOver): string[] {
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

/** With all that SQLite puts beside a database. */
async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", ".unfinished"]) await rm(path + suffix, { force: true });
}
