import { randomBytes } from "node:crypto";
import type {
  BlockKey,
  BlockRange,
  BlockStore,
  FoundBlock,
  PartRange,
  RowKey,
  TermLookup,
} from "@clew/text-index";
import { parsePostgresUrl } from "../../model/postgres-address.ts";
import type { TextManifest, TextReader, TextWriter } from "../port.ts";
import { segmentRemoved, transactionsOf } from "../texts.ts";
import { isMissing } from "./errors.ts";
import { openPool, type Pool, type Query } from "./pool.ts";

/*
 * The text index in tables of the same database, so that every instance reads what one has written. A transaction that
 * replaces a manifest holds the lock of its connection.
 */

/** Raise it whenever what is in a segment changes: an index of another format is built anew. */
const format = 2;

/** Connections of a process's index thread, and of each thread that reads. */
const poolSize = { writer: 3, reader: 1 };

/** Rows that a scan reads at a time. */
const scannedRows = 256;

/** Milliseconds after which a lease ends that is not renewed. */
const leaseMs = 30_000;

/** Rows that one transaction deletes. */
const deletedRows = 500;

export async function openTextReader(location: string): Promise<TextReader | null> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: poolSize.reader });
  const storeId = await inTransaction(pool, "read", findStoreId).catch(async (error) => {
    await pool.close();
    if (isMissing(error)) return null;
    throw error;
  });
  if (storeId !== null) return { snapshot: snapshotsOf(pool), close: () => pool.close() };
  await pool.close();
  return null;
}

export async function openTextWriter(
  location: string,
  fingerprint: Uint8Array,
  onDeleted: (reason: string) => void,
): Promise<TextWriter> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: poolSize.writer });
  try {
    const reason = await inTransaction(pool, "write", (query) => prepareIndex(query, fingerprint));
    if (reason !== null) onDeleted(reason);
    return writerOf(pool);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

export async function deleteTextIndex(location: string): Promise<void> {
  const pool = openPool(parsePostgresUrl(location), { maxConnections: 1 });
  try {
    await inTransaction(pool, "write", deleteAll);
  } finally {
    await pool.close();
  }
}

const begin = {
  read: "begin isolation level repeatable read, read only",
  write: "begin isolation level read committed, read write",
};

async function inTransaction<T>(
  pool: Pool,
  kind: keyof typeof begin,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire();
  try {
    connection.sendTogether();
    // The first statement is sent with it.
    const begun = connection.run(begin[kind]);
    const [result] = await Promise.all([work(connection.query), begun]);
    const committed = connection.run("commit");
    if (kind === "write") await committed;
    else committed.catch(() => {});
    connection.release();
    return result;
  } catch (error) {
    const usable = await connection.run("rollback").then(
      () => true,
      () => false,
    );
    connection.release(usable);
    throw error;
  }
}

/** Creates the index's own row, or replaces an index that this program cannot use; returns why. */
async function prepareIndex(query: Query, fingerprint: Uint8Array): Promise<string | null> {
  await lock(query, 0);
  const { rows } = await query<{ format: number; fingerprint: Buffer }>(
    "select format, fingerprint from text_index",
    [],
  );
  const [found] = rows;
  if (found?.format === format && found.fingerprint.equals(fingerprint)) return null;
  await deleteAll(query);
  const storeId = randomBytes(16).toString("hex");
  await query("insert into text_index (id, store_id, format, fingerprint) values (1, $1, $2, $3)", [
    storeId,
    format,
    fingerprint,
  ]);
  if (found === undefined) return null;
  return found.format === format
    ? "it belongs to another installation"
    : `it has the format ${found.format}, not ${format}`;
}

async function deleteAll(query: Query): Promise<void> {
  await query(
    "truncate text_index, text_manifests, text_leases, text_segments, text_pages, text_blocks, text_positions",
    [],
  );
}

/** Waits until no other process writes the manifest of this connection; 0 stands for the index as a whole. */
async function lock(query: Query, connectionId: number): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('clew texts'), hashint8($1))", [connectionId]);
}

async function findStoreId(query: Query): Promise<string | null> {
  const { rows } = await query<{ store_id: string }>("select store_id from text_index", []);
  return rows[0]?.store_id ?? null;
}

function snapshotsOf(pool: Pool): TextReader["snapshot"] {
  return (work) =>
    inTransaction(pool, "read", async (query) =>
      work({
        storeId: (await findStoreId(query)) ?? "",
        manifest: (connectionId) => manifestOf(query, connectionId),
        async manifests() {
          const { rows } = await query<ManifestRow & { connection_id: number }>(
            "select connection_id, revision, segments, indexed from text_manifests",
            [],
          );
          return new Map(rows.map(({ connection_id, ...row }) => [connection_id, manifestFrom(row)]));
        },
        async hasSegments(segments) {
          const sql = "select count(*) as present from text_segments where id = any($1)";
          const { rows } = await query<{ present: number }>(sql, [segments]);
          return rows[0]?.present === segments.length;
        },
        async pageChunks(segment) {
          const sql = "select bytes from text_pages where segment_id = $1 order by chunk";
          const { rows } = await query<{ bytes: Uint8Array }>(sql, [segment]);
          return rows.map(({ bytes }) => bytes);
        },
        ...blocksOf(query),
      }),
    );
}

async function manifestOf(query: Query, connectionId: number): Promise<TextManifest | null> {
  const sql = "select revision, segments, indexed from text_manifests where connection_id = $1";
  const { rows } = await query<ManifestRow>(sql, [connectionId]);
  const [row] = rows;
  return row === undefined ? null : manifestFrom(row);
}

interface ManifestRow {
  readonly revision: number;
  /** JSON array. */
  readonly segments: string;
  readonly indexed: number;
}

const manifestFrom = (row: ManifestRow): TextManifest => ({ ...row, segments: JSON.parse(row.segments) });

/** A row, and which of several requests it answers, counted from 1. */
type Answer<Row> = Row & { readonly request: number };

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
  rows: forEach(
    "segment, number",
    "$1::int8[], $2::int8[]",
    "select positions from text_positions where segment_id = key.segment and number = key.number",
  ),
  scan: `${selectBlocks} $1 and (term, part) > ($2, $3) order by term, part limit ${scannedRows}`,
  scanRows: `select number, positions from text_positions
    where segment_id = $1 and number >= $2 order by number limit ${scannedRows}`,
};

function blocksOf(query: Query): BlockStore {
  async function answers<Row>(sql: string, arrays: readonly (readonly unknown[])[]): Promise<Row[][]> {
    const [{ length } = []] = arrays;
    const found = Array.from({ length: length ?? 0 }, (): Row[] => []);
    if (found.length === 0) return found;
    const { rows } = await query<Answer<Row>>(sql, arrays);
    for (const { request, ...row } of rows) found[request - 1]?.push(row as unknown as Row);
    return found;
  }
  return {
    async lookup(keys: readonly TermLookup[]) {
      const columns = [keys.map(({ segment }) => segment), keys.map(({ term }) => term)];
      return (await answers<FoundBlock>(statements.lookup, columns)).map(([block]) => block ?? null);
    },
    parts: (ranges: readonly PartRange[]) =>
      answers<FoundBlock>(statements.parts, [
        ranges.map(({ segment }) => segment),
        ranges.map(({ term }) => term),
        ranges.map(({ first }) => first),
        ranges.map(({ last }) => last),
      ]),
    ranges: (ranges: readonly BlockRange[]) =>
      answers<FoundBlock>(statements.ranges, [
        ranges.map(({ segment }) => segment),
        ranges.map(({ after }) => after),
        ranges.map(({ before }) => before),
        ranges.map(({ limit }) => limit),
      ]),
    async rows(keys: readonly RowKey[]) {
      const columns = [keys.map(({ segment }) => segment), keys.map(({ row }) => row)];
      const found = await answers<{ positions: Uint8Array }>(statements.rows, columns);
      return found.map(([row]) => row?.positions ?? null);
    },
    async *scan(segment) {
      let key: BlockKey = { term: new Uint8Array(), part: -1 };
      for (;;) {
        const { rows } = await query<FoundBlock>(statements.scan, [segment, key.term, key.part]);
        yield* rows;
        const end = rows.at(-1);
        if (end === undefined) return;
        key = end;
      }
    },
    async *scanRows(segment) {
      for (let next = 0; ; ) {
        const parameters = [segment, next];
        const { rows } = await query<{ number: number; positions: Uint8Array }>(
          statements.scanRows,
          parameters,
        );
        for (const { positions } of rows) yield positions;
        const end = rows.at(-1);
        if (end === undefined) return;
        next = end.number + 1;
      }
    },
  };
}

/** Milliseconds since the Unix epoch by the server's clock, whatever those of the instances say. */
const now = "(extract(epoch from clock_timestamp()) * 1000)::int8";

const takeLease = `insert into text_leases (connection_id, worker, leased_until) values ($1, $2, ${now} + ${leaseMs})
  on conflict (connection_id) do update set worker = excluded.worker, leased_until = excluded.leased_until
  where text_leases.worker = excluded.worker or text_leases.leased_until <= ${now}`;

const insertBlocks = `insert into text_blocks (segment_id, term, part, postings)
  select $1, * from unnest($2::bytea[], $3::int8[], $4::bytea[])`;

const insertPositions = `insert into text_positions (segment_id, number, positions)
  select $1, * from unnest($2::int8[], $3::bytea[])`;

function writerOf(pool: Pool): TextWriter {
  const write = <T>(work: (query: Query) => Promise<T>) => inTransaction(pool, "write", work);

  /** Deletes some rows of a segment, and the segment once it has none; false if it was there no more. */
  async function deleteSome(query: Query, segment: number): Promise<boolean> {
    // Nobody adds rows to it meanwhile.
    const { count } = await query("select from text_segments where id = $1 for update", [segment]);
    if (count === 0) return false;
    for (const table of ["text_blocks", "text_positions", "text_pages"]) {
      const some = `select ctid from ${table} where segment_id = $1 limit ${deletedRows}`;
      const { count } = await query(`delete from ${table} where ctid = any(array(${some}))`, [segment]);
      if (count > 0) return true;
    }
    await query("delete from text_segments where id = $1", [segment]);
    return true;
  }

  return {
    // A backup of the database has its index.
    isRestoredApart: false,
    snapshot: snapshotsOf(pool),
    lease: (connectionId, worker) =>
      write(async (query) => (await query(takeLease, [connectionId, worker])).count > 0),
    async release(connectionId, worker) {
      const sql = "delete from text_leases where connection_id = $1 and worker = $2";
      await write((query) => query(sql, [connectionId, worker]));
    },
    blocks: blocksOf(async (sql, parameters) => {
      const connection = await pool.acquire();
      try {
        return await connection.query(sql, parameters);
      } finally {
        connection.release();
      }
    }),
    async writeSegment(connectionId, segment) {
      const id = await write(async (query) => {
        const sql = `insert into text_segments (connection_id, dropped_at) values ($1, ${now}) returning id`;
        const { rows } = await query<{ id: number }>(sql, [connectionId]);
        const inserted = rows[0]?.id ?? 0;
        let number = 0;
        for (const bytes of segment.chunks())
          await query("insert into text_pages (segment_id, chunk, bytes) values ($1, $2, $3)", [
            inserted,
            number++,
            bytes,
          ]);
        return inserted;
      });
      for await (const { blocks, firstRow } of transactionsOf(segment.blocks())) {
        const positions = blocks.flatMap(({ rows }) => rows);
        const columns = [
          blocks.map(({ term }) => term),
          blocks.map(({ part }) => part),
          blocks.map(({ postings }) => postings),
        ];
        const numbers = positions.map((_, index) => firstRow + index);
        await write(async (query) => {
          // It is in use, however long it takes to write it.
          const sql = `update text_segments set dropped_at = ${now} where id = $1`;
          if ((await query(sql, [id])).count === 0) throw new Error(segmentRemoved(id, connectionId));
          await query(insertBlocks, [id, ...columns]);
          await query(insertPositions, [id, numbers, positions]);
        });
      }
      return id;
    },
    commit: (connectionId, next, before) =>
      write(async (query) => {
        await lock(query, connectionId);
        const current = await manifestOf(query, connectionId);
        if (JSON.stringify(current?.segments) !== JSON.stringify(before?.segments)) return false;
        const present = await query("select from text_segments where id = any($1) for update", [
          next.segments,
        ]);
        if (present.count < next.segments.length) return false;
        await query(
          `insert into text_manifests (connection_id, revision, segments, indexed) values ($1, $2, $3, $4)
          on conflict (connection_id) do update
          set revision = excluded.revision, segments = excluded.segments, indexed = excluded.indexed`,
          [connectionId, next.revision, JSON.stringify(next.segments), next.indexed],
        );
        const kept = new Set(next.segments);
        await query(`update text_segments set dropped_at = ${now} where id = any($1)`, [
          current?.segments.filter((id) => !kept.has(id)) ?? [],
        ]);
        await query("update text_segments set dropped_at = null where id = any($1)", [next.segments]);
        return true;
      }),
    async connectionIds() {
      const sql =
        "select connection_id as id from text_segments union select connection_id from text_manifests";
      const { rows } = await inTransaction(pool, "read", (query) => query<{ id: number }>(sql, []));
      return rows.map(({ id }) => id);
    },
    async removeConnections(connectionIds) {
      if (connectionIds.length === 0) return;
      const gone = await write(async (query) => {
        for (const table of ["text_manifests", "text_leases"])
          await query(`delete from ${table} where connection_id = any($1)`, [connectionIds]);
        const sql = "select id from text_segments where connection_id = any($1)";
        return (await query<{ id: number }>(sql, [connectionIds])).rows;
      });
      for (const { id } of gone) while (await write((query) => deleteSome(query, id)));
    },
    removeDropped: (olderThanMs) =>
      write(async (query) => {
        const sql = `select id from text_segments where dropped_at < ${now} - $1::int8 limit 1`;
        const { rows } = await query<{ id: number }>(sql, [olderThanMs]);
        const [dropped] = rows;
        return dropped !== undefined && deleteSome(query, dropped.id);
      }),
    close: () => pool.close(),
  };
}
