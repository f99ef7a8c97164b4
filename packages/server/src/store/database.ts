import type { Dialect } from "./dialect.ts";
import { isPostgres } from "./location.ts";

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

/* What there is for files alone. */
export { copyDatabase, inspectDatabase } from "./sqlite/copies.ts";
export { type CarriedOver, restoreDatabase } from "./sqlite/restore.ts";
export type { LockWait } from "./wait.ts";
