import type { DatabaseLocation } from "../model/database-location.ts";
import type { DatabaseReader, ExclusiveDatabase, OpenOptions } from "./backend.ts";
import { backendOf } from "./choose-backend.ts";
import { copyTables } from "./move.ts";
import { type Database, DatabaseError, type ReadHandle, type TextReader, type TextWriter } from "./port.ts";
import type { PersonMover } from "./postgres/person-mover.ts";
import type { BucketMark } from "./queries/installation.ts";
import { openMoveSource } from "./sqlite/move-source.ts";

export type { PersonMover };

/* Opens databases, by their locations. Only the store imports a backend: all else knows a database by port.ts. */

/** Opens a database, creates what is missing, and brings its schema up to date (OPS-4). Throws `DatabaseError`. */
export async function openDatabase({
  location,
  ...options
}: OpenOptions & { readonly location: DatabaseLocation }): Promise<Database> {
  const { database, address } = backendOf(location);
  return (await database()).openDatabase(address, options);
}

/** Opens a database for this process alone, with this program's schema; null if another process has it open. */
export async function openExclusively(location: DatabaseLocation): Promise<ExclusiveDatabase | null> {
  const { database, address } = backendOf(location);
  return (await database()).openExclusively(address);
}

/** Whether there is a database, of whatever schema. */
export async function databaseExists(location: DatabaseLocation): Promise<boolean> {
  const { database, address } = backendOf(location);
  return (await database()).databaseExists(address);
}

/** Opens a database for reading, whatever its schema. */
export async function openReader(location: DatabaseLocation): Promise<DatabaseReader> {
  const { database, address } = backendOf(location);
  return (await database()).openReader(address);
}

/** Opens the text index of a database for reading; null if there is none. */
export async function openTextReader(location: DatabaseLocation): Promise<TextReader | null> {
  const { textIndex, address } = backendOf(location);
  return (await textIndex()).openTextReader(address);
}

/**
 * Opens the text index of a database for writing, and creates it if it is missing. An index of another installation or format is
 * deleted first, and `onDeleted` called with the reason.
 */
export async function openTextWriter(
  location: DatabaseLocation,
  fingerprint: Uint8Array,
  onDeleted: (reason: string) => void,
): Promise<TextWriter> {
  const { textIndex, address } = backendOf(location);
  return (await textIndex()).openTextWriter(address, fingerprint, onDeleted);
}

export async function deleteTextIndex(location: DatabaseLocation): Promise<void> {
  const { textIndex, address } = backendOf(location);
  await (await textIndex()).deleteTextIndex(address);
}

/**
 * Copies the file `from` into the empty database at the URL `to`, in one transaction. `check` sees the copy before it is
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

/* For servers alone. */
export async function claimBucket(database: Database, mark: BucketMark): Promise<void> {
  return (await import("./postgres/claim-bucket.ts")).claimBucket(database, mark);
}

/** Opens a bucket for moving people to it or from it. */
export async function openPersonMover(location: DatabaseLocation): Promise<PersonMover> {
  const { PersonMover } = await import("./postgres/person-mover.ts");
  return new PersonMover(backendOf(location).address);
}

/* For files alone. */
export { copyDatabase, inspectDatabase } from "./sqlite/copies.ts";
export { fsyncFolder } from "./sqlite/file.ts";
export { type CarriedOver, restoreDatabase } from "./sqlite/restore.ts";
