import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FoundBlock } from "@clew/text-index";
import type BetterSqlite3 from "better-sqlite3";
import { Kysely, sql } from "kysely";
import { reasonOf } from "../../model/thrown.ts";
import type { TextReader, TextWriter } from "../port.ts";
import {
  claimIndex,
  existing,
  StoredTextReader,
  StoredTextWriter,
  type TextDialect,
  type TextTables,
} from "../text-index-store.ts";
import { defaultLockWait } from "../wrappers/lock-wait.ts";
import { sqliteDialect } from "./driver.ts";
import {
  isBusy,
  isUnopenable,
  openDerivedForWriting,
  openForReading,
  prepareFile,
  sideFiles,
} from "./file.ts";

/*
 * The text index in a file of its own beside the database, so that no backup has it and it can be deleted. It belongs to one
 * installation, whose fingerprint it has.
 */

/** The file of the text index that belongs to the database at `location`. */
const pathBeside = (location: string) => join(dirname(location), "text-index.db");

/** Milliseconds that a statement may block the thread while another process recovers or checkpoints the file. */
const busyTimeoutMs = 1000;

const tables = [
  `create table if not exists text_index (
    id integer primary key check (id = 1),
    store_id text not null,
    format integer not null,
    fingerprint blob not null
  ) strict`,
  `create table if not exists text_manifests (
    connection_id integer primary key,
    revision integer not null,
    segments text not null,
    indexed real not null
  ) strict`,
  `create table if not exists text_segments (
    id integer primary key autoincrement,
    connection_id integer not null,
    dropped_at integer
  ) strict`,
  "create index if not exists text_segments_dropped on text_segments (dropped_at) where dropped_at is not null",
  `create table if not exists text_pages (
    segment_id integer not null,
    chunk integer not null,
    bytes blob not null
  ) strict`,
  "create index if not exists text_pages_of_segment on text_pages (segment_id, chunk)",
  `create table if not exists text_blocks (
    segment_id integer not null,
    term blob not null,
    part integer not null,
    postings blob not null
  ) strict`,
  "create unique index if not exists text_blocks_by_key on text_blocks (segment_id, term, part)",
  // A look-up would otherwise go through all parts of the term before.
  "create unique index if not exists text_blocks_by_term on text_blocks (segment_id, term) where part = 0",
  // Only phrases need the positions.
  `create table if not exists text_positions (
    segment_id integer not null,
    number integer not null,
    positions blob not null
  ) strict`,
  "create unique index if not exists text_positions_by_key on text_positions (segment_id, number)",
];

/** Opens the text index of the database at `location` for reading; null if there is none. */
export async function openTextReader(location: string): Promise<TextReader | null> {
  let file: BetterSqlite3.Database;
  try {
    file = openForReading(pathBeside(location), { timeout: busyTimeoutMs });
  } catch (error) {
    if (isUnopenable(error)) return null;
    throw error;
  }
  try {
    const db = handleOf(file, "deferred");
    const reader = new StoredTextReader(db, dialectOf(file, file), async () => {
      await db.destroy();
      file.close();
    });
    return await existing(reader);
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Opens the text index of the database at `location` for writing and creates it if it is missing (mode 0600). An index of
 * another installation or format is deleted first, and `onDeleted` called with the reason.
 */
export async function openTextWriter(
  location: string,
  fingerprint: Uint8Array,
  onDeleted: (reason: string) => void,
): Promise<TextWriter> {
  const path = pathBeside(location);
  try {
    return await openChecked(path, fingerprint);
  } catch (error) {
    if (isBusy(error)) throw error;
    onDeleted(reasonOf(error));
    await deleteTextIndex(location);
    return openChecked(path, fingerprint);
  }
}

/** Deletes the text index of the database at `location`. Handles that are open continue reading the deleted file. */
export async function deleteTextIndex(location: string): Promise<void> {
  for (const suffix of ["", ...sideFiles]) await rm(pathBeside(location) + suffix, { force: true });
}

async function openChecked(path: string, fingerprint: Uint8Array): Promise<TextWriter> {
  await prepareFile(path, defaultLockWait, { pageSize: 8192 });
  const file = openDerivedForWriting(path);
  const writer = handleOf(file, "immediate");
  try {
    const fault = await writer.transaction().execute(async (trx) => {
      for (const statement of tables) await sql.raw(statement).execute(trx);
      return claimIndex(trx, fingerprint);
    });
    if (fault !== null) throw new Error(fault);
    const readFile = openForReading(path, { timeout: busyTimeoutMs });
    const reader = handleOf(readFile, "deferred");
    return new StoredTextWriter({ reader, writer }, dialectOf(readFile, file), async () => {
      await reader.destroy();
      readFile.close();
      await writer.destroy();
      file.close();
    });
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Runs one transaction after the other on the file. Statements outside of them see uncommitted changes. */
function handleOf(file: BetterSqlite3.Database, begin: "immediate" | "deferred"): Kysely<TextTables> {
  const options = { open: () => file, begin, maxTransactions: 1, lockWait: defaultLockWait };
  return new Kysely({ dialect: sqliteDialect(options) });
}

/** The statements on these files. Reads and writes of Kysely's handles use the same files, so they share transactions. */
function dialectOf(reader: BetterSqlite3.Database, writer: BetterSqlite3.Database): TextDialect {
  const blocks = blocksOf(reader);
  return {
    // It is in a file of its own, which no backup has.
    isRestoredApart: true,
    // Processes that share a folder are few, and a lease would outlive the process that is killed and started again.
    leases: false,
    now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    blocks: () => blocks,
    async insert(_trx, segment, blocks, firstRow) {
      const insertBlock = writer.prepare(
        "insert into text_blocks (segment_id, term, part, postings) values (?, ?, ?, ?)",
      );
      const insertRow = writer.prepare(
        "insert into text_positions (segment_id, number, positions) values (?, ?, ?)",
      );
      let number = firstRow;
      for (const { term, part, postings, rows } of blocks) {
        insertBlock.run(segment, term, part, postings);
        for (const row of rows) insertRow.run(segment, number++, row);
      }
    },
    someRows: (table, segment, limit) =>
      sql`rowid in (select rowid from ${sql.table(table)} where segment_id = ${segment} limit ${limit})`,
    // One transaction writes at a time.
    async lockManifest() {},
    // The log may hold what was deleted.
    async erase() {
      writer.pragma("wal_checkpoint(truncate)");
    },
  };
}

/** Prepared statements: a call through Kysely takes longer than the look-up itself (decision 54). */
function blocksOf(file: BetterSqlite3.Database): ReturnType<TextDialect["blocks"]> {
  // Arrays, and no column that is known: each blob of a row takes some microseconds.
  const last = file
    .prepare<[number, Uint8Array], [term: Uint8Array, postings: Uint8Array]>(
      `select term, postings from text_blocks
      where segment_id = ? and term <= ? and part = 0 order by term desc limit 1`,
    )
    .raw();
  const between = file.prepare<[number, Uint8Array, Uint8Array, number], FoundBlock>(
    `select term, part, postings from text_blocks
    where segment_id = ? and term > ? and term < ? and part = 0 order by term limit ?`,
  );
  const covering = file
    .prepare<[number, number, Uint8Array, Uint8Array, number], [term: Uint8Array, postings: Uint8Array]>(
      `select term, postings from text_blocks where segment_id = ? and part = 0
      and term >= (select term from text_blocks where segment_id = ? and term <= ? and part = 0 order by term desc limit 1)
      and term <= ? order by term limit ?`,
    )
    .raw();
  const parts = file
    .prepare<[number, Uint8Array, number, number], Uint8Array>(
      "select postings from text_blocks where segment_id = ? and term = ? and part between ? and ? order by part",
    )
    .pluck();
  const row = file
    .prepare<[number, number], Uint8Array>(
      "select positions from text_positions where segment_id = ? and number = ?",
    )
    .pluck();
  return {
    async lookup(keys) {
      return keys.map((key) => {
        const [term, postings] = last.get(key.segment, key.term) ?? [];
        return term === undefined || postings === undefined ? null : { term, part: 0, postings };
      });
    },
    async parts(ranges) {
      // Should a part be missing, those after it get its number, which their checksums do not fit.
      return ranges.map(({ segment, term, first, last }) =>
        parts
          .all(segment, term, first, last)
          .map((postings, index) => ({ term, part: first + index, postings })),
      );
    },
    async ranges(ranges) {
      return ranges.map((range) => between.all(range.segment, range.after, range.before, range.limit));
    },
    async covering(ranges) {
      return ranges.map(({ segment, from, to, limit }) =>
        covering
          .all(segment, segment, from, to, limit)
          .map(([term, postings]) => ({ term, part: 0, postings })),
      );
    },
    async rows(keys) {
      return keys.map((key) => row.get(key.segment, key.row) ?? null);
    },
  };
}
