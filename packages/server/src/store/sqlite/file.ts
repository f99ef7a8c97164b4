import { chmod, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { type LockWait, retryWhileBusy } from "./lock-wait.ts";

/** The write-ahead log is cut back to this many bytes once its content is in the database. */
const logSize = 64 * 1024 * 1024;

/**
 * Makes the database file where there is none, lets nobody but its owner read it or what SQLite puts beside it, and
 * sets its journal to WAL, which the file remembers.
 */
export async function prepareFile(path: string, wait: LockWait): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "a", 0o600);
  await handle.close();
  // SQLite gives the -wal and -shm files that it makes the mode of the database.
  for (const suffix of ["", "-wal", "-shm"]) await chmod(path + suffix, 0o600).catch(ignoreMissing);
  const file = new BetterSqlite3(path, { timeout: 0, fileMustExist: true });
  try {
    await retryWhileBusy(() => file.pragma("journal_mode = wal"), wait);
  } finally {
    file.close();
  }
}

/**
 * Opens the file for write transactions: an acknowledged commit is on the disk (OPS-6). A statement that needs a lock
 * that another process holds fails with SQLITE_BUSY, at once unless it may block this thread for `timeout`
 * milliseconds: see `retryWhileBusy`.
 */
export function openForWriting(path: string, { timeout = 0 } = {}): BetterSqlite3.Database {
  return configured(new BetterSqlite3(path, { timeout, fileMustExist: true }), [
    "synchronous = full",
    "foreign_keys = on",
    "trusted_schema = off",
    // What is deleted is overwritten, so that it does not stay in the file.
    "secure_delete = on",
    `journal_size_limit = ${logSize}`,
  ]);
}

/**
 * Opens the file for reading alone. In WAL mode readers and the writer do not wait for each other, but for moments such
 * as recovery after a crash; `timeout` is how many milliseconds a statement may then block this thread.
 */
export function openForReading(path: string, { timeout = 0 } = {}): BetterSqlite3.Database {
  return configured(new BetterSqlite3(path, { timeout, readonly: true }), ["trusted_schema = off"]);
}

function configured(file: BetterSqlite3.Database, pragmas: readonly string[]): BetterSqlite3.Database {
  try {
    for (const pragma of pragmas) file.pragma(pragma);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
