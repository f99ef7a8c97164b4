import { readdirSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { freeBytesAt } from "../../model/machine.ts";
import { reasonOf } from "../../model/thrown.ts";
import { newestVersion } from "../migrate.ts";
import { isBusy, openForReading } from "./file.ts";
import { released } from "./migrations/released.ts";
import { openFault } from "./open-fault.ts";

/** `vacuum into` blocks this thread in any case. */
const busyTimeoutMs = 10_000;

/** Copies what is committed at `path` to `target` (mode 0600), which is replaced as a whole. Disturbs no reader or writer. */
export async function copyDatabase(path: string, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  // `vacuum into` accepts an empty file, so the mode is right from the start.
  const file = await open(unfinished, "wx", 0o600);
  try {
    const source = openForReading(path, { timeout: busyTimeoutMs });
    try {
      source.prepare("vacuum into ?").run(unfinished);
    } finally {
      source.close();
    }
    await file.sync();
    await rename(unfinished, target);
  } catch (error) {
    // It would go on taking the room that was missing.
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** The bytes that a copy of the database at `path` takes at most, and those that are free beside it. */
export async function roomForCopy(path: string): Promise<{ readonly bytes: number; readonly free: number }> {
  const sizes = await Promise.all(
    ["", "-wal"].map(async (suffix) => (await stat(path + suffix).catch(() => null))?.size ?? 0),
  );
  return { bytes: sizes.reduce((sum, size) => sum + size), free: await freeBytesAt(dirname(path)) };
}

/** Why a copy of the database is kept beside it: before a restore, or before a migration to schema N. */
type Occasion = "restore" | `schema-${number}`;

/** The name for a copy of the database at `path`, made before something is done to it. */
export function keptCopyPath(path: string, occasion: Occasion, now: number): string {
  return `${path}.before-${occasion}-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
}

/** The copies of the database at `path` that were kept before restores, oldest first. */
export function copiesBeforeRestores(path: string): string[] {
  const [folder, name] = [dirname(path), basename(path)];
  const copies = readdirSync(folder).filter(
    (each) => each.startsWith(name) && /^\.before-restore-\d{8}T\d+Z$/.test(each.slice(name.length)),
  );
  return copies.sort().map((each) => join(folder, each));
}

/** The end of a copy's name, after the database's name; side files included. Programs before schema 6 put no time into it. */
const copySuffix = /^\.(?:before-(?:restore|schema-\d+)-(\d{8}T\d{6})\d*Z|schema-\d+\.backup)(?:-wal|-shm)?$/;

/** Deletes the copies of the database at `path` that were made before a time. */
export async function removeOldCopies(path: string, before: number): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(path))) continue;
    const parts = copySuffix.exec(name.slice(basename(path).length));
    if (parts === null) continue;
    const [, stamp] = parts;
    const copiedAt = stamp === undefined ? (await stat(join(folder, name))).mtimeMs : timeOf(stamp);
    if (copiedAt < before) await rm(join(folder, name), { force: true });
  }
}

/** Reads a time without punctuation, as `keptCopyPath` writes it. */
function timeOf(stamp: string): number {
  return Date.parse(stamp.replace(/(..)(..)T(..)(..)(..)$/, "-$1-$2T$3:$4:$5Z"));
}

/** The result of checking a database file. */
interface Inspection {
  /** null if it is not a database of Clew. */
  readonly schemaVersion: number | null;
  /** Its faults, a sentence each; empty if Clew can use it. */
  readonly faults: readonly string[];
}

/** Faults of each kind that are named. */
const maxFaults = 10;

/**
 * Reads a whole database file and checks it against itself, without changing it or disturbing its users. Throws `DatabaseError`
 * if another program has locked it.
 */
export function inspectDatabase(path: string): Inspection {
  try {
    const file = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    try {
      return inspect(file);
    } finally {
      file.close();
    }
  } catch (error) {
    if (isBusy(error)) throw openFault(path, error);
    return { schemaVersion: null, faults: [`it cannot be read as a database: ${reasonOf(error)}`] };
  }
}

function inspect(file: BetterSqlite3.Database): Inspection {
  const known = file.prepare("select 1 from sqlite_schema where name = 'schema_migrations'").get();
  if (known === undefined) return { schemaVersion: null, faults: ["it is no database of Clew's"] };
  const schemaVersion = Number(file.prepare("select max(version) from schema_migrations").pluck().get());
  const newest = newestVersion(released);
  const newer =
    schemaVersion > newest ? [`its schema ${schemaVersion} is newer than this program's ${newest}`] : [];
  return { schemaVersion, faults: [...newer, ...integrityFaults(file), ...foreignKeyFaults(file)] };
}

/** https://sqlite.org/pragma.html#pragma_integrity_check */
function integrityFaults(file: BetterSqlite3.Database): string[] {
  const lines = file.prepare<[], string>(`pragma integrity_check(${maxFaults})`).pluck().all();
  return lines.filter((line) => line !== "ok");
}

/** https://sqlite.org/pragma.html#pragma_foreign_key_check */
function foreignKeyFaults(file: BetterSqlite3.Database): string[] {
  const rows = file.prepare<[], { table: string; parent: string }>("pragma foreign_key_check").all();
  const kinds = new Set(
    rows.map(({ table, parent }) => `rows of ${table} refer to missing rows of ${parent}`),
  );
  return [...kinds].slice(0, maxFaults);
}
