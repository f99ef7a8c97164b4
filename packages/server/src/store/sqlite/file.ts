import { chmod, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { type LockWait, retryWhile } from "../wrappers/lock-wait.ts";

/** Once its content is in the database, the write-ahead log is cut back to this many bytes. */
const logSizeLimit = 64 * 1024 * 1024;

/** The files that SQLite may put beside a database: the ends of their names. The log belongs to it: another database's log would ruin it. */
export const sideFiles = ["-wal", "-shm"];

/** Creates the file if it is missing, makes it and its side files private (0600), and sets its journal to WAL for good. */
export async function prepareFile(path: string, wait: LockWait, { pageSize = 4096 } = {}): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "a", 0o600);
  await handle.close();
  // SQLite gives the -wal and -shm files that it makes the mode of the database.
  for (const suffix of ["", ...sideFiles]) await chmod(path + suffix, 0o600).catch(ignoreMissing);
  const file = new BetterSqlite3(path, { timeout: 0, fileMustExist: true });
  try {
    // Has no effect on a file that is in use already.
    file.pragma(`page_size = ${pageSize}`);
    await retryWhileBusy(() => file.pragma("journal_mode = wal"), wait);
  } finally {
    file.close();
  }
}

/**
 * Opens the file for writing: an acknowledged commit is on the disk (OPS-6). A statement that needs a lock of another
 * process blocks this thread for up to `timeout` milliseconds, then fails with SQLITE_BUSY: see `retryWhileBusy`.
 */
export function openForWriting(path: string, { timeout = 0 } = {}): BetterSqlite3.Database {
  return configured(new BetterSqlite3(path, { timeout, fileMustExist: true }), [
    "synchronous = full",
    "foreign_keys = on",
    "trusted_schema = off",
    // Overwrites what is deleted.
    "secure_delete = on",
    `journal_size_limit = ${logSizeLimit}`,
  ]);
}

/**
 * Opens a file of derived data for writing: the latest commits may be lost when the machine stops, not when the process
 * does.
 */
export function openDerivedForWriting(path: string): BetterSqlite3.Database {
  return configured(new BetterSqlite3(path, { timeout: 0, fileMustExist: true }), [
    "synchronous = normal",
    "trusted_schema = off",
    "secure_delete = on",
    `journal_size_limit = ${logSizeLimit}`,
  ]);
}

/** Opens the file read-only. In WAL mode only moments such as recovery after a crash need `timeout`, as in `openForWriting`. */
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

/** Makes new and changed names in a folder survive a power failure. Does nothing on Windows, which cannot sync folders. */
export async function fsyncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/**
 * Opens the file exclusively for this process; null if another process has it open.
 * https://sqlite.org/pragma.html#pragma_locking_mode
 */
export function openExclusive(path: string): BetterSqlite3.Database | null {
  const file = openForWriting(path, { timeout: 1000 });
  try {
    file.pragma("locking_mode = exclusive");
    file.exec("begin exclusive; commit");
    return file;
  } catch (error) {
    file.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/**
 * Repeats `attempt` while another process holds the lock that it needs, until `wait.timeoutMs` after `since`; then throws
 * SQLITE_BUSY. SQLite's own busy handler would block the event loop.
 */
export function retryWhileBusy<T>(attempt: () => T, wait: LockWait, since?: number): Promise<T> {
  return retryWhile(isBusy, attempt, wait, since);
}

/** Another process holds a lock. */
export const isBusy = (error: unknown) => hasCode(error, /^SQLITE_BUSY/);

/** The disk is full. */
export const isFull = (error: unknown) => hasCode(error, /^SQLITE_FULL$/);

/** There is no file, or it cannot be opened. */
export const isUnopenable = (error: unknown) => hasCode(error, /^SQLITE_CANTOPEN/);

/** The content of the file is damaged, or is no database. */
export const isDamaged = (error: unknown) => hasCode(error, /^SQLITE_(CORRUPT|NOTADB|IOERR|ERROR)/);

/** The database cannot be used now, for whatever reason outside the program. */
export const isUnavailable = (error: unknown) =>
  hasCode(error, /^SQLITE_(BUSY|LOCKED|IOERR|FULL|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL)/);

function hasCode(error: unknown, pattern: RegExp): boolean {
  return error instanceof BetterSqlite3.SqliteError && pattern.test(error.code);
}
