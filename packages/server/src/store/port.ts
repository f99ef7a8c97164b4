import type { GraphRows } from "@clew/graph";
import type { Block, BlockStore } from "@clew/text-index";
import type { Kysely, Transaction } from "kysely";
import type { Connection } from "../model/connection.ts";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { Clock } from "../model/runtime.ts";
import type { ServiceToken } from "../model/service-token.ts";
import type { ActivityDatabase } from "./activity-tables.ts";
import type { Tables } from "./schema.ts";

/*
 * The database as Clew needs it. Query modules (queries/) build statements with Kysely on the handles below and hold no SQL
 * of one dialect; everything else that differs between dialects is behind `Database`, in a folder per dialect.
 *
 * Migrations must lead to the tables of schema.ts in each dialect. If databases differ, these rules apply:
 * - Times are milliseconds and counts may exceed 32 bits: columns and `count()` must come back as JavaScript numbers. PostgreSQL's
 *   driver returns int8 as a string unless its type parser says otherwise.
 * - Flags are 0 and 1 in integer columns, JSON is text, ids and hashes are bytes.
 * - Text may hold U+0000, which PostgreSQL refuses, and is compared by its bytes: order by it needs COLLATE "C".
 * - SQL has no empty list for `in` and `not in`: queries leave the condition out.
 * - A statement takes at most 32 766 parameters; queries cut longer lists (`batches`).
 * - `connections.stored_bytes` is kept by triggers.
 */

/** The first argument of a reading query: `Database.read`, a snapshot, or a write transaction. It cannot build a write. */
export type ReadHandle = Pick<
  Kysely<Tables>,
  "selectFrom" | "getExecutor" | "executeQuery" | "isTransaction"
>;

/**
 * The first argument of a writing query. Only `Database.transaction` hands one out: a write outside a transaction does not
 * compile.
 */
export type WriteTransaction = Transaction<Tables>;

/**
 * The first argument of a query that writes and cannot read: all that it knows is in its arguments, or in the rows that it
 * changes. `Database.record` hands one out, and every `WriteTransaction` is one.
 */
export type RecordTransaction = Pick<
  WriteTransaction,
  "insertInto" | "updateTable" | "deleteFrom" | "getExecutor" | "executeQuery" | "isTransaction"
>;

/** The credential of a request: the SHA-256 of a service token, or the id of a session. */
export type CallerKey =
  | { readonly kind: "service-token"; readonly hash: Buffer }
  | { readonly kind: "session"; readonly sessionId: string };

/** The owner of a credential, and what they are connected to. */
interface Owner {
  readonly id: string;
  /** The name of the people among whom a source identified them. */
  readonly provider: string;
  readonly email: string | null;
  /** Whether they are being moved to another bucket. */
  readonly isMoving: boolean;
  /** All of their connections with the versions of their published graphs, oldest first. */
  readonly connections: readonly Connection[];
}

/** All that is stored about a caller: enough to authorise a request. */
export type CallerRecord =
  /** A token in whatever state it is. */
  | { readonly kind: "service-token"; readonly owner: Owner; readonly token: ServiceToken }
  /** A session that has not been ended; it may have expired. */
  | { readonly kind: "session"; readonly owner: Owner; readonly refreshExpiresAt: number };

/** An open database. Every method may be called at any time until `close`. */
export interface Database {
  /** The place from which worker threads open the database. */
  readonly location: DatabaseLocation;
  /**
   * By which issue, expiry, revocation and leases are decided: the same for all processes of the installation, in milliseconds
   * since the Unix epoch.
   */
  readonly clock: Clock;
  /**
   * Reads outside transactions: every query sees all commits before it and waits for no transaction. Two queries may see two
   * states: use `snapshot` if they must agree.
   */
  readonly read: ReadHandle;
  /**
   * Who sends requests: the callers of these keys in their order, null for an unknown one, each as of a moment after the
   * call. It is asked on every request. Calls in one turn of the event loop share a batch.
   */
  callers(keys: readonly CallerKey[]): Promise<readonly (CallerRecord | null)[]>;

  /**
   * Runs `work` as a transaction: on the disk when the promise resolves, undone when `work` throws.
   *
   * Such transactions are serializable: each behaves as if no other ran at the same time, so reading and then writing needs no lock.
   * In return `work` may run more than once, the earlier runs undone: it must have no effects but those in the database.
   * Randomness and times may be drawn inside, since only the last run counts; logs, caches, files and calls to other services
   * belong after the transaction, where its result says what happened. Inside, use `trx` alone, await nothing slower than the
   * database, and start no second transaction: SQLite runs one at a time.
   */
  transaction<T>(work: (trx: WriteTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `work`, which writes without deciding anything by reading, as a transaction: progress, times of use, leases. It is
   * as durable as `transaction`, and other transactions make it wait at most for a row, not run again: each statement sees the
   * commits before it (PostgreSQL's "read committed").
   */
  record<T>(work: (trx: RecordTransaction) => Promise<T>): Promise<T>;

  /**
   * Runs `lock` and then `work` as a transaction in which locked rows take the place of serializability. `lock` must, in one
   * statement, lock a row that every other writer of what `work` reads and writes locks too, or throw. Each statement sees the
   * commits before it, so `work` sees all that earlier holders of the lock wrote. Both may run more than once, as in `transaction`.
   */
  locked<T>(
    lock: (trx: WriteTransaction) => Promise<void>,
    work: (trx: WriteTransaction) => Promise<T>,
  ): Promise<T>;

  /** The activity of service tokens: what they read (APP-9). */
  readonly activity: ActivityDatabase;

  /** Runs `work` on one consistent view of all commits before it. It delays no writer. */
  snapshot<T>(work: (db: ReadHandle) => Promise<T>): Promise<T>;

  /** Reads a connection's graph as of one moment. `use` is synchronous: an asynchronous dialect reads all rows before it. */
  graphRows<T>(connectionId: number, use: (rows: StoredGraphRows) => T): Promise<T>;

  /** Whether an error says that the database cannot be used now, as opposed to having been used wrongly. */
  isUnavailable(error: unknown): boolean;
  /** Whether the database answers from where its data is kept, and has a schema that this program may use (OPS-2). */
  ready(): Promise<boolean>;
  /** Looks which schema the database has: another process may have migrated it since it was opened. */
  schemaState(): Promise<SchemaState>;
  /**
   * Why this program may not use the schema that the database had when this was last looked at: by `ready`, by `schemaState` and by
   * each transaction, which it fails with `other_schema`. null if it may.
   */
  schemaFault(): string | null;
  /**
   * The error of every read and write while a file of the database is not in its place; null if all are. Left out by a database
   * server.
   */
  readonly placeFault?: () => DatabaseError | null;
  /** Whether a write succeeded a few seconds ago, or does now (OPS-2). */
  canWrite(): Promise<boolean>;
  /** The migration that opening it ran; null if there was none, or the database was new. */
  readonly upgrade: Upgrade | null;
  /** Left out by a database in a file. */
  readonly poolCounts?: () => PoolCounts;
  /** Left out by a database in a file, and behind a pooler. */
  readonly connectionRoom?: () => Promise<ConnectionRoom>;
  /** Left out by a database server, which does this by itself. */
  readonly upkeep?: Upkeep;
  /** Waits for the transactions that run, then closes. */
  close(): Promise<void>;
}

/** The schema of an open database. */
export interface SchemaState {
  readonly version: number;
  /** The version of the Clew that brought it; null if it did not say so. */
  readonly program: string | null;
  /** Whether a newer program brought it. */
  readonly isNewer: boolean;
  /** Why this program may not use it; null if it may. */
  readonly fault: string | null;
}

/** A migration of a database that was not new. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly {
    readonly version: number;
    readonly name: string;
    readonly milliseconds: number;
    /** Rows that it changed. */
    readonly rows: number;
  }[];
  /** The path of the copy that was made before; null if none was. */
  readonly copy: string | null;
}

/** A connection's graph in the form that `buildColumns` reads; valid until `use` returns. */
export interface StoredGraphRows extends GraphRows {
  /** The connection's revision; 0, without rows, if the connection is gone. */
  readonly revision: number;
  /** Random, of this revision alone: see `StoredVersion`. */
  readonly mark: string | null;
}

/** How a graph is read. */
export interface GraphReading {
  /** The revision of an earlier graph: if it has the same nodes, its references need not be read again (`GraphRows.sources`). */
  readonly since?: number | undefined;
  readonly nodesAtATime?: number | undefined;
}

/** The room on the disk of a database in a file. */
export interface DiskRoom {
  /** Infinite before it was first measured. */
  readonly freeBytes: number;
  /** Syncs store nothing while fewer bytes are free: the rest is for the small writes that must always succeed. */
  readonly neededBytes: number;
}

/** The connections to a database server. */
export interface PoolCounts {
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** The connections that a database server takes. */
export interface ConnectionRoom {
  /** The most that this instance opens. */
  readonly own: number;
  /** The most that all clients together may have, without those kept for superusers. */
  readonly limit: number;
  /** Those that are open now, of all clients. */
  readonly open: number;
}

/** The upkeep of a database in a file. */
interface Upkeep {
  /** Notes that rows were deleted whose content must not remain outside the tables. */
  noteErasure(): void;
  /**
   * Removes what remains of deleted rows, in SQLite's write-ahead log, since this was last done or the process started. Does
   * nothing while a reader needs the log: to be repeated.
   */
  eraseRemains(): Promise<void>;
  /** Deletes copies of the database that were kept before a migration or a restore, and were made before a time. */
  removeOldCopies(before: number): Promise<void>;
  /** The room on the disk when `checkRoom` last looked. */
  room(): DiskRoom;
  /** Measures the free room on the disk, and holds a reserve for small writes while there is enough. To be repeated. */
  checkRoom(): Promise<void>;
}

/** The state of the stored text index of a connection. */
export interface TextManifest {
  /** The changes of the connection's graph up to this revision are in the index. */
  readonly revision: number;
  /** The ids of its segments, oldest first. */
  readonly segments: readonly number[];
  /** The share of its texts that can be found, 0–1. */
  readonly indexed: number;
}

/** The stored text index at one moment. */
export interface TextView extends BlockStore {
  /** Identifies this index: ids of segments mean nothing in another one, such as one that was rebuilt. */
  readonly storeId: string;
  /** null if nothing of the connection is indexed. */
  manifest(connectionId: number): Promise<TextManifest | null>;
  /** The manifests of those of these connections that have something in the index. */
  manifests(connectionIds: readonly number[]): Promise<ReadonlyMap<number, TextManifest>>;
  /** Whether all of these segments are still there. */
  hasSegments(segments: readonly number[]): Promise<boolean>;
  /** The chunks of a segment's pages, in order. */
  pageChunks(segment: number): Promise<Uint8Array[]>;
}

/** A segment as it is written. */
export interface NewSegment {
  chunks(): Iterable<Uint8Array>;
  blocks(): Iterable<Block> | AsyncIterable<Block>;
}

/** Reads the text index: derived data, which can be deleted at any time and is then built again. */
export interface TextReader {
  /** Runs `work` on one consistent view, one after the other. It delays no writer. */
  snapshot<T>(work: (view: TextView) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Writes the text index: one thread of each process. */
export interface TextWriter extends TextReader {
  /** Whether a restored database may find another state of the index beside it, so that each process has to compare the two. */
  readonly isRestoredApart: boolean;
  /** The blocks outside of any snapshot, for merges. */
  readonly blocks: BlockStore;
  /**
   * Leases the indexing of a connection to a worker, or renews its lease; false while another worker has it, or if another version
   * has built the index anew. A lease that is not renewed ends after half a minute. It only saves work: between two that index
   * at the same time `commit` decides.
   */
  lease(connectionId: number, worker: string): Promise<boolean>;
  release(connectionId: number, worker: string): Promise<void>;
  /**
   * Writes a segment, in several transactions, and returns its id. No manifest has it yet. Throws if it is removed
   * before the last of them.
   */
  writeSegment(connectionId: number, segment: NewSegment): Promise<number>;
  /**
   * Replaces a connection's manifest, and marks segments that it no longer has as dropped. Returns false if the stored
   * manifest is no longer `before`, or if a segment of the new one is missing: another process may have changed them.
   */
  commit(connectionId: number, manifest: TextManifest, before: TextManifest | null): Promise<boolean>;
  /** Whether segments of a connection were dropped and are still stored. */
  hasDropped(connectionId: number): Promise<boolean>;
  /** The connections that something is stored of. */
  connectionIds(): Promise<number[]>;
  /** Deletes all of these connections. */
  removeConnections(connectionIds: readonly number[]): Promise<void>;
  /** Deletes some segments that were dropped, or last written without a manifest, so long ago; false if there are none. */
  removeDropped(olderThanMs: number): Promise<boolean>;
}

/**
 * `newer_schema`: a newer Clew wrote it · `other_schema`: it has got another schema since it was opened · `unusable`: it cannot be
 * opened or migrated · `in_use`: another process has it · `unreachable`: its server cannot be reached, or it cannot be used now.
 */
type DatabaseErrorCode = "newer_schema" | "other_schema" | "unusable" | "in_use" | "unreachable";

/** Why a database could not be opened or used. The message is for the operator. */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "DatabaseError";
    this.code = code;
  }
}
