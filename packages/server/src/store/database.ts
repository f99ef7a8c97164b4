import type { Dialect } from "./dialect.ts";
import { isPostgres } from "./location.ts";
import { copyTables } from "./move.ts";
import { DatabaseError, type ReadHandle } from "./port.ts";
import { openMoveSource } from "./sqlite/move-source.ts";

/*
 * Opens databases, by their locations. Only the store imports a dialect's folder: all else knows a database by port.ts. The
 * driver of a dialect is loaded when it is needed.
 */

async function dialectOf(location: string): Promise<Dialect> {
  if (isPostgres(location)) return (await import("./postgres/dialect.ts")).postgres;
  return (await import("./sqlite/dialect.ts")).sqlite;
}

export const openDatabase: Dialect["openDatabase"] = async (options) =>
  (await dialectOf(options.location)).openDatabase(options);

export const openExclusively: Dialect["openExclusively"] = async (location) =>
  (await dialectOf(location)).openExclusively(location);

export const databaseExists: Dialect["databaseExists"] = async (location) =>
  (await dialectOf(location)).databaseExists(location);

export const openReader = async (location: string) => (await dialectOf(location)).openReader(location);

export const openTextReader: Dialect["openTextReader"] = async (location) =>
  (await dialectOf(location)).openTextReader(location);

export const openTextWriter: Dialect["openTextWriter"] = async (location, ...rest) =>
  (await dialectOf(location)).openTextWriter(location, ...rest);

export const deleteTextIndex: Dialect["deleteTextIndex"] = async (location) =>
  (await dialectOf(location)).deleteTextIndex(location);

/**
 * Copies the file `from` into the empty database `to` on a server, in one transaction. `check` sees the copy before it is
 * committed. Returns the number of rows. Throws `DatabaseError`, `in_use` while another process has either open.
 */
export async function moveDatabase(
  from: string,
  to: string,
  check: (db: ReadHandle) => Promise<void>,
): Promise<number> {
  const { fillDatabase } = await import("./postgres/move-target.ts");
  const source = openMoveSource(from);
  if (source === null)
    throw new DatabaseError(
      "in_use",
      `Another process has ${from} open: stop Clew first. Nothing was changed.`,
    );
  try {
    return await fillDatabase(to, async (target) => {
      const rows = await copyTables(source, target);
      await check(target.db);
      return rows;
    });
  } finally {
    source.close();
  }
}

/* What there is for files alone. */
export { copyDatabase, inspectDatabase } from "./sqlite/copies.ts";
export { type CarriedOver, restoreDatabase } from "./sqlite/restore.ts";
export type { LockWait } from "./wait.ts";
