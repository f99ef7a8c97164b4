import { chmod, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";

/** How long a statement waits for another process's lock, in milliseconds. */
const lockPatience = 10_000;

/** How long until the next attempt where SQLite does not wait by itself, in milliseconds. */
const retryDelay = 20;

/** The write-ahead log is cut back to this many bytes once its content is in the database. */
const logSize = 64 * 1024 * 1024;

/**
 * Makes the database file where there is none, lets nobody but its owner read it or what SQLite puts beside it, and
 * sets its journal to WAL, which the file remembers.
 */
export async function prepareFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  await file.close();
  // SQLite gives the -wal and -shm files that it makes the mode of the database.
  for (const suffix of ["", "-wal", "-shm"]) await chmod(path + suffix, 0o600).catch(ignoreMissing);
  await enterWal(path);
}

/** Of two processes that change the journal at once SQLite refuses one at once, whatever its patience: it tries again. */
async function enterWal(path: string): Promise<void> {
  const file = new BetterSqlite3(path, { timeout: lockPatience, fileMustExist: true });
  try {
    for (let waited = 0; ; waited += retryDelay) {
      try {
        file.pragma("journal_mode = wal");
        return;
      } catch (error) {
        const busy = error instanceof BetterSqlite3.SqliteError && error.code.startsWith("SQLITE_BUSY");
        if (!busy || waited >= lockPatience) throw error;
      }
      await setTimeout(retryDelay);
    }
  } finally {
    file.close();
  }
}

/** Opens the file for write transactions: an acknowledged commit is on the disk (OPS-6). */
export function openForWriting(path: string): BetterSqlite3.Database {
  const file = new BetterSqlite3(path, { timeout: lockPatience, fileMustExist: true });
  file.pragma("synchronous = full");
  file.pragma("foreign_keys = on");
  file.pragma("trusted_schema = off");
  file.pragma(`journal_size_limit = ${logSize}`);
  return file;
}

/** Opens the file for reading alone. In WAL mode readers and the writer do not wait for each other. */
export function openForReading(path: string): BetterSqlite3.Database {
  const file = new BetterSqlite3(path, { timeout: lockPatience, readonly: true });
  file.pragma("trusted_schema = off");
  return file;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
