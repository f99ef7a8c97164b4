import type BetterSqlite3 from "better-sqlite3";
import { openForWriting } from "./file.ts";
import { isBusy } from "./lock-wait.ts";

/**
 * Opens a database for this process alone, until it is closed. null where another one has it open.
 * https://sqlite.org/pragma.html#pragma_locking_mode
 */
export function openAlone(path: string): BetterSqlite3.Database | null {
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
