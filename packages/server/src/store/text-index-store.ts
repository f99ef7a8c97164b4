import { randomBytes } from "node:crypto";
import type { Block, BlockKey, BlockStore } from "@clew/text-index";
import { type Generated, type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { NewSegment, TextManifest, TextReader, TextView, TextWriter } from "./port.ts";
import { precompiled, precompiledLists } from "./queries/precompiled.ts";
import { profileOf } from "./queries/profile.ts";
import { batches, countChanged } from "./queries/statements.ts";

/*
 * The stored text index. A segment is written in several transactions and then named by its connection's manifest, which is
 * replaced by compare-and-set. A segment that no manifest names has the time at which that began, and is deleted some
 * minutes later, a few rows at a time.
 */

/** The tables of the text index: in the database on a server, or in a file beside the database's. */
export interface TextTables {
  /** One row, which says whose index it is. */
  text_index: { id: number; store_id: string; format: number; fingerprint: Uint8Array };
  /** `segments` is a JSON array. */
  text_manifests: { connection_id: number; revision: number; segments: string; indexed: number };
  /** `dropped_at` is the time at which it left its manifest; before it has one, at which it was last written. */
  text_segments: { id: Generated<number>; connection_id: number; dropped_at: number | null };
  text_pages: { segment_id: number; chunk: number; bytes: Uint8Array };
  text_blocks: { segment_id: number; term: Uint8Array; part: number; postings: Uint8Array };
  text_positions: { segment_id: number; number: number; positions: Uint8Array };
  /** Only in databases on a server, whose clock ends leases. */
  text_leases: { connection_id: number; worker: string; leased_until: number };
}

export type TextHandle = Pick<Kysely<TextTables>, "selectFrom" | "getExecutor" | "executeQuery">;
export type TextTransaction = Transaction<TextTables>;

/** Tables with the content of segments. */
const contentTables = ["text_blocks", "text_positions", "text_pages"] as const;

/** How databases differ in what they store of the index. */
export interface TextDialect {
  readonly isRestoredApart: boolean;
  /** Whether processes lease the indexing of a connection. */
  readonly leases: boolean;
  /** Milliseconds since the Unix epoch, by a clock that all processes share. */
  readonly now: RawBuilder<number>;
  /** Reads many blocks at once: most of the work of a text query. */
  blocks(db: TextHandle): Omit<BlockStore, "scan" | "scanRows">;
  /** Inserts blocks of a segment and their rows of positions, which are numbered from `firstRow`. */
  insert(trx: TextTransaction, segment: number, blocks: readonly Block[], firstRow: number): Promise<void>;
  /** The condition of at most `limit` rows of a segment. */
  someRows(table: (typeof contentTables)[number], segment: number, limit: number): RawBuilder<boolean>;
  /** Waits until no other process writes the manifest of this connection. */
  lockManifest(trx: TextTransaction, connectionId: number): Promise<void>;
  /** Removes what remains of deleted rows outside the tables. */
  erase(db: Kysely<TextTables>): Promise<void>;
}

/** Raise it whenever the tables, or what is in a segment, change: an index of another format is built anew. */
const format = 3;

/** Rows that a scan reads at a time. */
const scannedRows = 256;

/** Rows that one transaction deletes. */
const deletedRows = 500;

/** Milliseconds after which a lease ends that is not renewed. */
const leaseMs = 30_000;

/** Bytes of blocks that one transaction writes. */
const transactionBytes = 4 * 1024 * 1024;

/** Ids in one list of a statement. */
const idsAtATime = 1000;

const manifestColumns = ["revision", "segments", "indexed"] as const;

const storeIdOf = precompiled((db: TextHandle) => db.selectFrom("text_index").select("store_id"));

const manifestRow = precompiled((db: TextHandle, connectionId: number) =>
  db.selectFrom("text_manifests").select(manifestColumns).where("connection_id", "=", connectionId),
);

const manifestRows = precompiledLists((db: TextHandle, connectionIds: readonly number[]) =>
  db
    .selectFrom("text_manifests")
    .select(["connection_id", ...manifestColumns])
    .where("connection_id", "in", connectionIds),
);

const presentSegments = precompiledLists((db: TextHandle, ids: readonly number[]) =>
  db.selectFrom("text_segments").select("id").where("id", "in", ids),
);

const chunksOf = precompiled((db: TextHandle, segment: number) =>
  db.selectFrom("text_pages").select("bytes").where("segment_id", "=", segment).orderBy("chunk"),
);

const blocksAfter = precompiled((db: TextHandle, segment: number, term: Uint8Array, part: number) =>
  db
    .selectFrom("text_blocks")
    .select(["term", "part", "postings"])
    .where("segment_id", "=", segment)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("term", "part"), ">", tuple(term, part)))
    .orderBy("term")
    .orderBy("part")
    .limit(sql.lit(scannedRows)),
);

const positionsFrom = precompiled((db: TextHandle, segment: number, number: number) =>
  db
    .selectFrom("text_positions")
    .select(["number", "positions"])
    .where("segment_id", "=", segment)
    .where("number", ">=", number)
    .orderBy("number")
    .limit(sql.lit(scannedRows)),
);

/** Why this program cannot use the stored index; null if it can. Makes a new index this installation's. */
export async function claimIndex(trx: TextTransaction, fingerprint: Uint8Array): Promise<string | null> {
  await trx
    .insertInto("text_index")
    .values({ id: 1, store_id: randomBytes(16).toString("hex"), format, fingerprint })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const found = await trx
    .selectFrom("text_index")
    .select(["format", "fingerprint"])
    .executeTakeFirstOrThrow();
  if (found.format !== format) return `it has the format ${found.format}, not ${format}`;
  return Buffer.from(fingerprint).equals(found.fingerprint) ? null : "it belongs to another installation";
}

/** Reads the stored index. Its handle runs transactions that read. */
export class StoredTextReader implements TextReader {
  protected readonly reader: Kysely<TextTables>;
  protected readonly dialect: TextDialect;
  readonly #close: () => Promise<void>;

  constructor(reader: Kysely<TextTables>, dialect: TextDialect, close: () => Promise<void>) {
    this.reader = reader;
    this.dialect = dialect;
    this.#close = close;
  }

  get blocks(): BlockStore {
    return blocksOf(this.reader, this.dialect);
  }

  snapshot<T>(work: (view: TextView) => Promise<T>): Promise<T> {
    return this.reader.transaction().execute(async (trx) => work(await viewOf(trx, this.dialect)));
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** A reader of an index; null, and closed, if there is none. */
export async function existing(
  reader: TextReader,
  isMissing: (error: unknown) => boolean = () => false,
): Promise<TextReader | null> {
  const storeId = await reader
    .snapshot(async (view) => view.storeId)
    .catch(async (error) => {
      if (isMissing(error)) return "";
      await reader.close();
      throw error;
    });
  if (storeId !== "") return reader;
  await reader.close();
  return null;
}

async function viewOf(db: TextHandle, dialect: TextDialect): Promise<TextView> {
  const [index] = await storeIdOf(db);
  return {
    storeId: index?.store_id ?? "",
    manifest: (connectionId) => manifestOf(db, connectionId),
    async manifests(connectionIds) {
      const found = new Map<number, TextManifest>();
      for (const some of batches(connectionIds, idsAtATime))
        for (const { connection_id, ...row } of await manifestRows(db, some))
          found.set(connection_id, manifestFrom(row));
      return found;
    },
    hasSegments: async (segments) => (await presentSegments(db, segments)).length === segments.length,
    pageChunks: async (segment) => (await chunksOf(db, segment)).map(({ bytes }) => bytes),
    ...blocksOf(db, dialect),
  };
}

function blocksOf(db: TextHandle, dialect: TextDialect): BlockStore {
  return {
    ...dialect.blocks(db),
    async *scan(segment) {
      let key: BlockKey = { term: new Uint8Array(), part: -1 };
      for (;;) {
        const blocks = await blocksAfter(db, segment, key.term, key.part);
        yield* blocks;
        const end = blocks.at(-1);
        if (end === undefined) return;
        key = end;
      }
    },
    async *scanRows(segment) {
      for (let next = 0; ; ) {
        const rows = await positionsFrom(db, segment, next);
        for (const { positions } of rows) yield positions;
        const end = rows.at(-1);
        if (end === undefined) return;
        next = end.number + 1;
      }
    },
  };
}

async function manifestOf(db: TextHandle, connectionId: number): Promise<TextManifest | null> {
  const [row] = await manifestRow(db, connectionId);
  return row === undefined ? null : manifestFrom(row);
}

const manifestFrom = (row: Pick<TextTables["text_manifests"], (typeof manifestColumns)[number]>) => ({
  ...row,
  // Written by `commit`.
  segments: JSON.parse(row.segments) as number[],
});

/** Writes the stored index. `writer` runs transactions that write. */
export class StoredTextWriter extends StoredTextReader implements TextWriter {
  readonly #writer: Kysely<TextTables>;

  constructor(
    { reader, writer }: { readonly reader: Kysely<TextTables>; readonly writer: Kysely<TextTables> },
    dialect: TextDialect,
    close: () => Promise<void>,
  ) {
    super(reader, dialect, close);
    this.#writer = writer;
  }

  get isRestoredApart(): boolean {
    return this.dialect.isRestoredApart;
  }

  async lease(connectionId: number, worker: string): Promise<boolean> {
    const { leases, now } = this.dialect;
    if (!leases) return true;
    const lease = { worker, leased_until: sql<number>`${now} + ${sql.lit(leaseMs)}` };
    return this.#write(async (trx) => {
      // An instance of another version may have built the index anew.
      const index = await trx.selectFrom("text_index").select("format").executeTakeFirst();
      if (index?.format !== format) return false;
      const taken = await trx
        .insertInto("text_leases")
        .values({ connection_id: connectionId, ...lease })
        .onConflict((conflict) =>
          conflict
            .column("connection_id")
            .doUpdateSet(lease)
            .where(({ or, eb }) =>
              or([eb("text_leases.worker", "=", worker), eb("text_leases.leased_until", "<=", now)]),
            ),
        )
        .executeTakeFirstOrThrow();
      return taken.numInsertedOrUpdatedRows !== 0n;
    });
  }

  async release(connectionId: number, worker: string): Promise<void> {
    if (!this.dialect.leases) return;
    await this.#write((trx) =>
      trx
        .deleteFrom("text_leases")
        .where("connection_id", "=", connectionId)
        .where("worker", "=", worker)
        .execute(),
    );
  }

  async writeSegment(connectionId: number, segment: NewSegment): Promise<number> {
    const { now } = this.dialect;
    const id = await this.#write(async (trx) => {
      const inserted = await trx
        .insertInto("text_segments")
        .values({ connection_id: connectionId, dropped_at: now })
        .returning("id")
        .executeTakeFirstOrThrow();
      let chunk = 0;
      for (const bytes of segment.chunks()) {
        await trx.insertInto("text_pages").values({ segment_id: inserted.id, chunk, bytes }).execute();
        chunk += 1;
      }
      return inserted.id;
    });
    for await (const { blocks, firstRow } of transactionsOf(segment.blocks())) {
      await this.#write(async (trx) => {
        // It is in use, however long it takes to write it.
        if ((await setDropped(trx, [id], now)) === 0)
          throw new Error(`segment ${id} of connection ${connectionId} was removed while it was written`);
        await this.dialect.insert(trx, id, blocks, firstRow);
      });
    }
    return id;
  }

  commit(connectionId: number, next: TextManifest, before: TextManifest | null): Promise<boolean> {
    return this.#write(async (trx) => {
      await this.dialect.lockManifest(trx, connectionId);
      const current = await manifestOf(trx, connectionId);
      if (JSON.stringify(current?.segments) !== JSON.stringify(before?.segments)) return false;
      if (!(await holdSegments(trx, next.segments))) return false;
      const values = {
        revision: next.revision,
        segments: JSON.stringify(next.segments),
        indexed: next.indexed,
      };
      await trx
        .insertInto("text_manifests")
        .values({ connection_id: connectionId, ...values })
        .onConflict((conflict) => conflict.column("connection_id").doUpdateSet(values))
        .execute();
      const kept = new Set(next.segments);
      await setDropped(trx, current?.segments.filter((id) => !kept.has(id)) ?? [], this.dialect.now);
      await setDropped(trx, next.segments, null);
      return true;
    });
  }

  async hasDropped(connectionId: number): Promise<boolean> {
    const dropped = await this.reader
      .selectFrom("text_segments")
      .select("id")
      .where("connection_id", "=", connectionId)
      .where("dropped_at", "is not", null)
      .limit(1)
      .executeTakeFirst();
    return dropped !== undefined;
  }

  async connectionIds(): Promise<number[]> {
    const rows = await this.reader
      .selectFrom("text_segments")
      .select("connection_id as id")
      .union(this.reader.selectFrom("text_manifests").select("connection_id as id"))
      .execute();
    return rows.map(({ id }) => id);
  }

  async removeConnections(connectionIds: readonly number[]): Promise<void> {
    if (connectionIds.length === 0) return;
    const gone: number[] = [];
    for (const some of batches(connectionIds, idsAtATime)) {
      const segments = await this.#write(async (trx) => {
        await trx.deleteFrom("text_manifests").where("connection_id", "in", some).execute();
        if (this.dialect.leases)
          await trx.deleteFrom("text_leases").where("connection_id", "in", some).execute();
        return trx.selectFrom("text_segments").select("id").where("connection_id", "in", some).execute();
      });
      gone.push(...segments.map(({ id }) => id));
    }
    for (const segment of gone) while (await this.#write((trx) => this.#deleteSome(trx, segment)));
    await this.dialect.erase(this.#writer);
  }

  removeDropped(olderThanMs: number): Promise<boolean> {
    return this.#write(async (trx) => {
      const dropped = await trx
        .selectFrom("text_segments")
        .select("id")
        .where("dropped_at", "<", sql<number>`${this.dialect.now} - ${sql.lit(olderThanMs)}`)
        .limit(1)
        .executeTakeFirst();
      return dropped !== undefined && this.#deleteSome(trx, dropped.id);
    });
  }

  #write<T>(work: (trx: TextTransaction) => Promise<T>): Promise<T> {
    return this.#writer.transaction().execute(work);
  }

  /** Deletes some rows of a segment, and the segment once it has none; false if it was there no more. */
  async #deleteSome(trx: TextTransaction, segment: number): Promise<boolean> {
    // The lock keeps other processes from adding rows to it.
    if (!(await holdSegments(trx, [segment]))) return false;
    for (const table of contentTables) {
      const some = this.dialect.someRows(table, segment, deletedRows);
      if ((await countChanged(trx.deleteFrom(table).where(some))) > 0) return true;
    }
    await trx.deleteFrom("text_segments").where("id", "=", segment).execute();
    return true;
  }
}

/** Whether all of these segments are there; if so, they are until the transaction ends. */
async function holdSegments(trx: TextTransaction, ids: readonly number[]): Promise<boolean> {
  let found = 0;
  for (const some of batches(ids, idsAtATime)) {
    const rows = await trx
      .selectFrom("text_segments")
      .select("id")
      .where("id", "in", some)
      .$if(profileOf(trx).locksRows, (segments) => segments.forUpdate())
      .execute();
    found += rows.length;
  }
  return found === ids.length;
}

/** Sets when segments left their manifests; null for those that have one. Returns how many there are. */
async function setDropped(
  trx: TextTransaction,
  ids: readonly number[],
  droppedAt: RawBuilder<number> | null,
): Promise<number> {
  let changed = 0;
  for (const some of batches(ids, idsAtATime))
    changed += await countChanged(
      trx.updateTable("text_segments").set({ dropped_at: droppedAt }).where("id", "in", some),
    );
  return changed;
}

/** The blocks that each transaction writes, with the number of the first of their rows of positions in the segment. */
async function* transactionsOf(
  blocks: Iterable<Block> | AsyncIterable<Block>,
): AsyncGenerator<{ readonly blocks: readonly Block[]; readonly firstRow: number }> {
  let pending: Block[] = [];
  let bytes = 0;
  let rows = 0;
  let firstRow = 0;
  for await (const block of blocks) {
    pending.push(block);
    rows += block.rows.length;
    bytes += block.rows.reduce((sum, row) => sum + row.length, block.postings.length);
    if (bytes < transactionBytes) continue;
    yield { blocks: pending, firstRow };
    pending = [];
    bytes = 0;
    firstRow = rows;
  }
  if (pending.length > 0) yield { blocks: pending, firstRow };
}
