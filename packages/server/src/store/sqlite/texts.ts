import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type {
  BlockKey,
  BlockRange,
  BlockStore,
  FoundBlock,
  PartRange,
  RowKey,
  TermLookup,
} from "@clew/text-index";
import type BetterSqlite3 from "better-sqlite3";
import type { NewSegment, TextManifest, TextReader, TextView, TextWriter } from "../port.ts";
import { segmentRemoved, transactionsOf } from "../texts.ts";
import { defaultLockWait } from "../wait.ts";
import {
  isBusy,
  openDerivedForWriting,
  openForReading,
  prepareFile,
  retryWhileBusy,
  sideFiles,
} from "./file.ts";

/*
 * The text index in a file of its own beside the database, so that no backup has it and it can be deleted. It belongs to one
 * installation, whose fingerprint it has.
 */

/** Raise it whenever the file's tables, or what is in a segment, change: an index of another format is built anew. */
const format = 2;

/** The file of the text index that belongs to the database at `location`. */
const pathBeside = (location: string) => join(dirname(location), "text-index.db");

/** Milliseconds that a statement may block the thread while another process recovers or checkpoints the file. */
const busyTimeoutMs = 1000;

/** Rows that a scan reads at a time. */
const scannedRows = 256;

/** Rows that one transaction deletes. */
const deletedRows = 500;

const tables = `
  create table if not exists text_index (
    id integer primary key check (id = 1),
    store_id text not null,
    format integer not null,
    fingerprint blob not null
  ) strict;
  create table if not exists text_manifests (
    connection_id integer primary key,
    revision integer not null,
    segments text not null,
    indexed real not null
  ) strict;
  create table if not exists text_segments (
    id integer primary key autoincrement,
    connection_id integer not null,
    -- When it left its manifest; before it has one, when it was begun.
    dropped_at integer
  ) strict;
  create index if not exists text_segments_dropped on text_segments (dropped_at) where dropped_at is not null;
  create table if not exists text_pages (
    segment_id integer not null,
    chunk integer not null,
    bytes blob not null
  ) strict;
  create index if not exists text_pages_of_segment on text_pages (segment_id, chunk);
  create table if not exists text_blocks (
    segment_id integer not null,
    term blob not null,
    part integer not null,
    postings blob not null
  ) strict;
  create unique index if not exists text_blocks_by_key on text_blocks (segment_id, term, part);
  -- A look-up would otherwise go through all parts of the term before.
  create unique index if not exists text_blocks_by_term on text_blocks (segment_id, term) where part = 0;
  -- Only phrases need the positions.
  create table if not exists text_positions (
    segment_id integer not null,
    number integer not null,
    positions blob not null
  ) strict;
  create unique index if not exists text_positions_by_key on text_positions (segment_id, number);`;

/** Opens the text index of the database at `location` for reading; null if there is none, or it is another installation's. */
export async function openTextReader(location: string): Promise<TextReader | null> {
  const path = pathBeside(location);
  let file: BetterSqlite3.Database;
  try {
    file = openForReading(path, { timeout: busyTimeoutMs });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return readerOf(file);
}

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "SQLITE_CANTOPEN";

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
    onDeleted(error instanceof Error ? error.message : String(error));
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
  try {
    const insert = "insert or ignore into text_index (id, store_id, format, fingerprint) values (1, ?, ?, ?)";
    const prepare = file.transaction(() => {
      file.exec(tables);
      file.prepare(insert).run(randomBytes(16).toString("hex"), format, fingerprint);
    });
    await retryWhileBusy(() => prepare.immediate(), defaultLockWait);
    const found = file
      .prepare<[], { format: number; fingerprint: Buffer }>("select format, fingerprint from text_index")
      .get();
    if (found?.format !== format) throw new Error(`it has the format ${found?.format}, not ${format}`);
    if (!found.fingerprint.equals(fingerprint)) throw new Error("it belongs to another installation");
    return writerOf(file, openForReading(path, { timeout: busyTimeoutMs }));
  } catch (error) {
    file.close();
    throw error;
  }
}

function readerOf(file: BetterSqlite3.Database): TextReader {
  let queue: Promise<unknown> = Promise.resolve();
  const view = viewOf(file);
  return {
    snapshot(work) {
      const turn = queue.then(async () => {
        file.exec("begin");
        try {
          return await work(view());
        } finally {
          if (file.inTransaction) file.exec("rollback");
        }
      });
      queue = turn.catch(() => {});
      return turn;
    },
    async close() {
      await queue;
      file.close();
    },
  };
}

interface ManifestRow {
  readonly revision: number;
  readonly segments: string;
  readonly indexed: number;
}

const selectManifest = "select revision, segments, indexed from text_manifests where connection_id = ?";

const countPresent = "select count(*) from text_segments where id in (select value from json_each(?))";

function viewOf(file: BetterSqlite3.Database): () => TextView {
  const storeId = file.prepare<[], string>("select store_id from text_index").pluck();
  const manifest = file.prepare<[number], ManifestRow>(selectManifest);
  const manifests = file.prepare<[], ManifestRow & { connection_id: number }>(
    "select connection_id, revision, segments, indexed from text_manifests",
  );
  const present = file.prepare<[string], number>(countPresent).pluck();
  const chunks = file
    .prepare<[number], Buffer>("select bytes from text_pages where segment_id = ? order by chunk")
    .pluck();
  const blocks = blocksOf(file);
  return () => ({
    storeId: storeId.get() ?? "",
    async manifest(connectionId) {
      const row = manifest.get(connectionId);
      return row === undefined ? null : manifestOf(row);
    },
    async manifests() {
      return new Map(manifests.all().map(({ connection_id, ...row }) => [connection_id, manifestOf(row)]));
    },
    async hasSegments(segments) {
      return present.get(JSON.stringify(segments)) === segments.length;
    },
    async pageChunks(segment) {
      return chunks.all(segment);
    },
    ...blocks,
  });
}

const manifestOf = (row: ManifestRow): TextManifest => ({ ...row, segments: JSON.parse(row.segments) });

function blocksOf(file: BetterSqlite3.Database): BlockStore {
  const columns = "select term, part, postings from text_blocks where segment_id = ?";
  // Arrays, and no column that is known: each blob of a row takes some microseconds.
  const last = file
    .prepare<[number, Uint8Array], [term: Uint8Array, postings: Uint8Array]>(
      `select term, postings from text_blocks
      where segment_id = ? and term <= ? and part = 0 order by term desc limit 1`,
    )
    .raw();
  const between = file.prepare<[number, Uint8Array, Uint8Array, number], FoundBlock>(
    `${columns} and term > ? and term < ? and part = 0 order by term limit ?`,
  );
  const parts = file
    .prepare<[number, Uint8Array, number, number], Uint8Array>(
      `select postings from text_blocks where segment_id = ? and term = ? and part between ? and ? order by part`,
    )
    .pluck();
  const blocksAfter = file.prepare<[number, Uint8Array, number, number], FoundBlock>(
    `${columns} and (term, part) > (?, ?) order by term, part limit ?`,
  );
  const row = file
    .prepare<[number, number], Uint8Array>(
      "select positions from text_positions where segment_id = ? and number = ?",
    )
    .pluck();
  const rowsFrom = file.prepare<[number, number, number], { number: number; positions: Uint8Array }>(
    "select number, positions from text_positions where segment_id = ? and number >= ? order by number limit ?",
  );
  return {
    async lookup(keys: readonly TermLookup[]) {
      return keys.map((key) => {
        const [term, postings] = last.get(key.segment, key.term) ?? [];
        return term === undefined || postings === undefined ? null : { term, part: 0, postings };
      });
    },
    async parts(ranges: readonly PartRange[]) {
      // Should a part be missing, those behind it get its number, which their checksums do not fit.
      return ranges.map(({ segment, term, first, last }) =>
        parts
          .all(segment, term, first, last)
          .map((postings, index) => ({ term, part: first + index, postings })),
      );
    },
    async ranges(ranges: readonly BlockRange[]) {
      return ranges.map((range) => between.all(range.segment, range.after, range.before, range.limit));
    },
    async rows(keys: readonly RowKey[]) {
      return keys.map((key) => row.get(key.segment, key.row) ?? null);
    },
    async *scan(segment) {
      let key: BlockKey = { term: new Uint8Array(), part: -1 };
      for (;;) {
        const blocks = blocksAfter.all(segment, key.term, key.part, scannedRows);
        yield* blocks;
        const end = blocks.at(-1);
        if (end === undefined) return;
        key = end;
      }
    },
    async *scanRows(segment) {
      for (let next = 0; ; ) {
        const rows = rowsFrom.all(segment, next, scannedRows);
        for (const { positions } of rows) yield positions;
        const end = rows.at(-1);
        if (end === undefined) return;
        next = end.number + 1;
      }
    },
  };
}

function writerOf(file: BetterSqlite3.Database, readable: BetterSqlite3.Database): TextWriter {
  const { snapshot, close } = readerOf(readable);
  const inTransaction = <T>(work: () => T): Promise<T> =>
    retryWhileBusy(() => file.transaction(work).immediate(), defaultLockWait);
  const insertSegment = file.prepare("insert into text_segments (connection_id, dropped_at) values (?, ?)");
  const insertChunk = file.prepare("insert into text_pages (segment_id, chunk, bytes) values (?, ?, ?)");
  const insertBlock = file.prepare(
    "insert into text_blocks (segment_id, term, part, postings) values (?, ?, ?, ?)",
  );
  const insertRow = file.prepare(
    "insert into text_positions (segment_id, number, positions) values (?, ?, ?)",
  );
  const manifest = file.prepare<[number], ManifestRow>(selectManifest);
  const touchSegment = file.prepare("update text_segments set dropped_at = ? where id = ?");
  const replaceManifest = file.prepare(
    "insert or replace into text_manifests (connection_id, revision, segments, indexed) values (?, ?, ?, ?)",
  );
  const present = file.prepare<[string], number>(countPresent).pluck();
  const mark = file.prepare(
    "update text_segments set dropped_at = ? where id in (select value from json_each(?))",
  );

  /** Deletes some rows of a segment, and the segment once it has none; false if it was there no more. */
  const deleteSome = (segment: number): boolean => {
    for (const table of ["text_blocks", "text_positions", "text_pages"]) {
      const rows = `select rowid from ${table} where segment_id = ? limit ${deletedRows}`;
      const { changes } = file.prepare(`delete from ${table} where rowid in (${rows})`).run(segment);
      if (changes > 0) return true;
    }
    return file.prepare("delete from text_segments where id = ?").run(segment).changes > 0;
  };

  return {
    // It is in a file of its own, which no backup has.
    isRestoredApart: true,
    snapshot,
    // Processes that share a folder are few, and a lease would outlive the process that is killed and started again.
    lease: async () => true,
    async release() {},
    blocks: blocksOf(file),
    async writeSegment(connectionId, segment: NewSegment) {
      const id = await inTransaction(() => {
        const inserted = Number(insertSegment.run(connectionId, Date.now()).lastInsertRowid);
        let number = 0;
        for (const bytes of segment.chunks()) insertChunk.run(inserted, number++, bytes);
        return inserted;
      });
      for await (const { blocks, firstRow } of transactionsOf(segment.blocks())) {
        await inTransaction(() => {
          // It is in use, however long it takes to write it.
          if (touchSegment.run(Date.now(), id).changes === 0)
            throw new Error(segmentRemoved(id, connectionId));
          let number = firstRow;
          for (const { term, part, postings, rows } of blocks) {
            insertBlock.run(id, term, part, postings);
            for (const row of rows) insertRow.run(id, number++, row);
          }
        });
      }
      return id;
    },
    commit: (connectionId, next, before) =>
      inTransaction(() => {
        const row = manifest.get(connectionId);
        const current = row && manifestOf(row);
        if (JSON.stringify(current?.segments) !== JSON.stringify(before?.segments)) return false;
        const segments = JSON.stringify(next.segments);
        if (present.get(segments) !== next.segments.length) return false;
        replaceManifest.run(connectionId, next.revision, segments, next.indexed);
        const kept = new Set(next.segments);
        mark.run(Date.now(), JSON.stringify(current?.segments.filter((id) => !kept.has(id)) ?? []));
        mark.run(null, segments);
        return true;
      }),
    async connectionIds() {
      return file
        .prepare<[], number>(
          "select connection_id from text_segments union select connection_id from text_manifests",
        )
        .pluck()
        .all();
    },
    async removeConnections(connectionIds) {
      if (connectionIds.length === 0) return;
      const ids = JSON.stringify(connectionIds);
      const those = "connection_id in (select value from json_each(?))";
      const gone = await inTransaction(() => {
        file.prepare(`delete from text_manifests where ${those}`).run(ids);
        return file.prepare<[string], number>(`select id from text_segments where ${those}`).pluck().all(ids);
      });
      for (const segment of gone) while (await inTransaction(() => deleteSome(segment)));
      // The log may hold what was deleted.
      file.pragma("wal_checkpoint(truncate)");
    },
    removeDropped: (olderThanMs) =>
      inTransaction(() => {
        const dropped = file
          .prepare<[number], number>("select id from text_segments where dropped_at < ? limit 1")
          .pluck()
          .get(Date.now() - olderThanMs);
        return dropped !== undefined && deleteSome(dropped);
      }),
    async close() {
      await close();
      file.close();
    },
  };
}
