import type { FoundBlock } from "@clew/text-index";
import { CompiledQuery, Kysely, sql } from "kysely";
import { parsePostgresUrl } from "../../model/postgres-address.ts";
import type { TextReader, TextWriter } from "../port.ts";
import {
  claimIndex,
  existing,
  StoredTextReader,
  StoredTextWriter,
  type TextDialect,
  type TextHandle,
  type TextTables,
  type TextTransaction,
} from "../text-index-store.ts";
import { begin } from "./database.ts";
import { type Begin, postgresDialect } from "./driver.ts";
import { isMissing } from "./errors.ts";
import { openPool, type Pool } from "./pool.ts";

/*
 * The text index in tables of the same database, so that every instance reads what one has written. A transaction that
 * replaces a manifest holds the lock of its connection.
 */

/** Connections of a process's index thread, and of each thread that reads. */
const poolSize = { writer: 3, reader: 1 };

/** The key that stands for the index as a whole in locks on connections. */
const wholeIndex = 0;

export async function openTextReader(location: string): Promise<TextReader | null> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: poolSize.reader });
  const reader = new StoredTextReader(handleOf(pool, begin.read), dialect, () => pool.close());
  return existing(reader, isMissing);
}

export async function openTextWriter(
  location: string,
  fingerprint: Uint8Array,
  onDeleted: (reason: string) => void,
): Promise<TextWriter> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: poolSize.writer });
  const writer = handleOf(pool, begin.locking);
  try {
    const fault = await writer.transaction().execute(async (trx) => {
      await lock(trx, wholeIndex);
      const found = await claimIndex(trx, fingerprint);
      if (found === null) return null;
      await truncate(trx);
      await claimIndex(trx, fingerprint);
      return found;
    });
    if (fault !== null) onDeleted(fault);
    const reader = handleOf(pool, begin.read);
    return new StoredTextWriter({ reader, writer }, dialect, () => pool.close());
  } catch (error) {
    await pool.close();
    throw error;
  }
}

export async function deleteTextIndex(location: string): Promise<void> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: 1 });
  try {
    await handleOf(pool, begin.locking).transaction().execute(truncate);
  } finally {
    await pool.close();
  }
}

const handleOf = (pool: Pool, how: Begin) => new Kysely<TextTables>({ dialect: postgresDialect(pool, how) });

async function truncate(trx: TextTransaction): Promise<void> {
  await sql`truncate text_index, text_manifests, text_leases, text_segments, text_pages, text_blocks, text_positions`.execute(
    trx,
  );
}

async function lock(trx: TextTransaction, connectionId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('clew texts'), hashint8(${connectionId}))`.execute(trx);
}

/** The statement that answers several requests at once: `found` for each of those in the arrays `columns`, in their order. */
const forEach = (columns: string, arrays: string, found: string) => `
  select request, found.* from unnest(${arrays}) with ordinality as key (${columns}, request), lateral (${found}) as found
  order by request`;

const selectBlocks = "select term, part, postings from text_blocks where segment_id =";

const statements = {
  lookup: forEach(
    "segment, term",
    "$1::int8[], $2::bytea[]",
    `${selectBlocks} key.segment and term <= key.term and part = 0 order by term desc limit 1`,
  ),
  parts: forEach(
    "segment, term, first, last",
    "$1::int8[], $2::bytea[], $3::int8[], $4::int8[]",
    `${selectBlocks} key.segment and term = key.term and part between key.first and key.last order by part`,
  ),
  ranges: forEach(
    "segment, after, before, size",
    "$1::int8[], $2::bytea[], $3::bytea[], $4::int8[]",
    `${selectBlocks} key.segment and term > key.after and term < key.before and part = 0 order by term limit key.size`,
  ),
  covering: forEach(
    "segment, low, high, size",
    "$1::int8[], $2::bytea[], $3::bytea[], $4::int8[]",
    `${selectBlocks} key.segment and part = 0
    and term >= (select term from text_blocks where segment_id = key.segment and term <= key.low and part = 0 order by term desc limit 1)
    and term <= key.high order by term limit key.size`,
  ),
  rows: forEach(
    "segment, number",
    "$1::int8[], $2::int8[]",
    "select positions from text_positions where segment_id = key.segment and number = key.number",
  ),
};

/** Runs a statement of `statements`; the rows that answer each request, in the order of the requests. */
async function answers<Row>(
  db: TextHandle,
  statement: string,
  arrays: readonly (readonly unknown[])[],
): Promise<Row[][]> {
  const [{ length } = []] = arrays;
  const found = Array.from({ length: length ?? 0 }, (): Row[] => []);
  if (found.length === 0) return found;
  const query = CompiledQuery.raw(statement, [...arrays]);
  const { rows } = await db.executeQuery<Row & { readonly request: number }>(query);
  // Requests are counted from 1. The rest of a row follows from the statement.
  for (const { request, ...row } of rows) found[request - 1]?.push(row as unknown as Row);
  return found;
}

const dialect: TextDialect = {
  // A backup of the database has its index.
  isRestoredApart: false,
  leases: true,
  now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::int8`,
  blocks: (db) => ({
    async lookup(keys) {
      const columns = [keys.map(({ segment }) => segment), keys.map(({ term }) => term)];
      const found = await answers<FoundBlock>(db, statements.lookup, columns);
      return found.map(([block]) => block ?? null);
    },
    parts: (ranges) =>
      answers<FoundBlock>(db, statements.parts, [
        ranges.map(({ segment }) => segment),
        ranges.map(({ term }) => term),
        ranges.map(({ first }) => first),
        ranges.map(({ last }) => last),
      ]),
    ranges: (ranges) =>
      answers<FoundBlock>(db, statements.ranges, [
        ranges.map(({ segment }) => segment),
        ranges.map(({ after }) => after),
        ranges.map(({ before }) => before),
        ranges.map(({ limit }) => limit),
      ]),
    covering: (ranges) =>
      answers<FoundBlock>(db, statements.covering, [
        ranges.map(({ segment }) => segment),
        ranges.map(({ from }) => from),
        ranges.map(({ to }) => to),
        ranges.map(({ limit }) => limit),
      ]),
    async rows(keys) {
      const columns = [keys.map(({ segment }) => segment), keys.map(({ row }) => row)];
      const found = await answers<{ positions: Uint8Array }>(db, statements.rows, columns);
      return found.map(([row]) => row?.positions ?? null);
    },
  }),
  async insert(trx, segment, blocks, firstRow) {
    const terms = blocks.map(({ term }) => term);
    const parts = blocks.map(({ part }) => part);
    const postings = blocks.map((block) => block.postings);
    await sql`
      insert into text_blocks (segment_id, term, part, postings)
      select ${segment}, * from unnest(${terms}::bytea[], ${parts}::int8[], ${postings}::bytea[])`.execute(
      trx,
    );
    const positions = blocks.flatMap(({ rows }) => rows);
    const numbers = positions.map((_, index) => firstRow + index);
    await sql`
      insert into text_positions (segment_id, number, positions)
      select ${segment}, * from unnest(${numbers}::int8[], ${positions}::bytea[])`.execute(trx);
  },
  someRows: (table, segment, limit) =>
    sql`ctid = any(array(select ctid from ${sql.table(table)} where segment_id = ${segment} limit ${limit}))`,
  lockManifest: lock,
  // The server reuses the space of deleted rows by itself.
  async erase() {},
};
