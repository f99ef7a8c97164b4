import { existsSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/config.ts";
import { readSecrets } from "../secrets/open-secrets.ts";
import { openDatabase, openReader } from "../store/database.ts";
import { DatabaseError } from "../store/error.ts";
import {
  type CarriedOver,
  carryOver,
  type EndedThings,
  readEndedThings,
  retireAllKeys,
} from "../store/sqlite/carry-over.ts";
import { copyDatabase } from "../store/sqlite/copy.ts";
import { openForWriting } from "../store/sqlite/file.ts";
import { inspectDatabase } from "../store/sqlite/inspect.ts";
import { keptCopyPath } from "../store/sqlite/kept-copies.ts";
import { openAlone } from "../store/sqlite/lock.ts";
import { type CliContext, CommandError } from "./context.ts";
import { withPlainBackup } from "./encrypted-backup.ts";
import { replaceDatabase } from "./replace-database.ts";

/**
 * Puts a backup in the place of the database, which may be damaged or missing. What was there is kept beside it, and what
 * was ended in it since the backup stays ended. Nothing is changed where the backup is not sound, the key is not its own, or a
 * Clew has the database open: then it throws.
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
    const current = openCurrent(path);
    try {
      const carried = endSince(draft, current.ended, clock());
      const kept = keptCopyPath(path, "restore", clock());
      const wasThere = existsSync(path);
      const check = () => checkResult(config, context);
      await replaceDatabase({ path, draft, kept, check });
      if (wasThere) print(`The database as it was is kept as ${kept}.`);
      for (const line of carried === null ? notCarried(current.reason) : told(carried)) print(line);
    } finally {
      current.close();
    }
    print(
      `${path} is what ${source} was, and was checked. Sessions and tokens that began after it are gone.`,
    );
  } finally {
    await removeDatabase(draft);
  }
}

/** What stands behind a symbolic link is replaced, not the link: SQLite's side files are there too. */
async function atItsPlace(config: Config): Promise<Config> {
  const databasePath = await realpath(config.databasePath).catch(() => config.databasePath);
  return { ...config, databasePath };
}

/** Copies the backup beside the database, brings it to this program's schema and sees that the key is its own. */
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

/** The database that is to be replaced, closed to others as long as it can be opened at all. */
interface Current {
  /** null where it cannot be relied upon. */
  readonly ended: EndedThings | null;
  /** Why nothing of it can be carried over, where that is so. */
  readonly reason: string;
  close(): void;
}

/** Takes the log back into the database, so that the file is the whole of it. Throws where another process has it open. */
function openCurrent(path: string): Current {
  const unusable = (reason: string): Current => ({ ended: null, reason, close() {} });
  if (!existsSync(path)) return unusable("there was none");
  let file: BetterSqlite3.Database | null = null;
  try {
    file = openAlone(path);
    if (file === null)
      throw new CommandError(`Another process has ${path} open: stop Clew first. Nothing was changed.`);
    const ended = readEndedThings(file);
    // Closing a file in WAL mode removes the log by its name, which may be the new database's by then.
    file.pragma("journal_mode = delete");
    return { ended, reason: "it is another installation's", close: file.close.bind(file) };
  } catch (error) {
    file?.close();
    if (!isDamage(error)) throw error;
    return unusable(`it cannot be read (${error.message})`);
  }
}

/** A disk that is full, or a file that may not be written, is no damage: the database may be whole. */
function isDamage(error: unknown): error is Error {
  if (error instanceof DatabaseError) return true;
  return (
    error instanceof BetterSqlite3.SqliteError && /^SQLITE_(CORRUPT|NOTADB|IOERR|ERROR)/.test(error.code)
  );
}

function endSince(draft: string, ended: EndedThings | null, now: number): CarriedOver | null {
  const restored = openForWriting(draft);
  try {
    const carried = ended === null ? null : carryOver(ended, restored);
    if (carried === null) retireAllKeys(restored, now);
    restored.pragma("wal_checkpoint(truncate)");
    return carried;
  } finally {
    restored.close();
  }
}

/** Looks at what now stands in the database's place as a start of Clew would. */
async function checkResult(config: Config, { random }: CliContext): Promise<void> {
  const { databasePath: path } = config;
  const { faults } = inspectDatabase(path);
  if (faults.length > 0)
    throw new CommandError(`What was restored is not sound, and was taken back: ${faults.join("; ")}.`);
  const reader = openReader(path);
  try {
    await readSecrets(config, reader.read, random);
  } finally {
    await reader.close();
  }
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

function notCarried(reason: string): string[] {
  return [
    `Nothing could be carried over from the database that was there: ${reason}. Tokens that were revoked, sessions that were ended, workspaces that were disconnected and accounts that were deleted after the backup are back.`,
    "A new key signs session tokens; the backup's keys only verify. If one of them leaked, run `clew keys rotate --revoke-old`.",
  ];
}

/** With all that SQLite puts beside a database. */
async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", ".unfinished"]) await rm(path + suffix, { force: true });
}
