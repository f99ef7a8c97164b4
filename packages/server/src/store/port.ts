import type { Kysely, Transaction } from "kysely";
import type { CommitCache } from "./commit-cache.ts";
import type { Tables } from "./schema.ts";

/**
 * What a reading query takes first: `Database.read`, a snapshot, or a transaction. It cannot build a write, and no handle
 * of it but a transaction is one that writes.
 */
export type ReadHandle = Pick<
  Kysely<Tables>,
  "selectFrom" | "getExecutor" | "executeQuery" | "isTransaction"
>;

/** What a writing query takes first. Only `Database.transaction` hands one out: a write outside of one does not compile. */
export type WriteTransaction = Transaction<Tables>;

/** Where Clew keeps everything. Transactions begin at the edge, by whoever knows what belongs together. */
export interface Database {
  /** The file, for a thread that reads through a connection of its own. */
  readonly path: string;
  /** Sees every committed write and never waits for a write transaction. Each query sees its own moment: see `snapshot`. */
  readonly read: ReadHandle;
  /** What every request asks for again, as of its beginning. */
  readonly memory: CommitCache;
  /**
   * Runs `work` in a write transaction, one at a time: committed to the disk when the promise resolves, undone
   * when `work` throws. Inside, use `trx` alone, and never wait for anything slower than the database.
   */
  transaction<T>(work: (trx: WriteTransaction) => Promise<T>): Promise<T>;
  /** Runs `work` on one consistent view of the database, for reads that must agree with each other. */
  snapshot<T>(work: (db: ReadHandle) => Promise<T>): Promise<T>;
  /** Notes that something was deleted that must not stay in the log (`truncateLog`). */
  deletedForGood(): void;
  /**
   * Empties the write-ahead log where something was deleted since it was last empty, or may have been before this process
   * began. Where a reader still needs the log nothing happens: to be called again.
   */
  truncateLog(): Promise<void>;
  /** Whether something could be written a few seconds ago, or can be now (OPS-2). */
  canWrite(): Promise<boolean>;
  /** True when the database answers and its schema is this program's (OPS-2). */
  ready(): Promise<boolean>;
  /** The version of its schema. */
  schemaVersion(): Promise<number>;
  /** Waits for the transactions that run, then closes. */
  close(): Promise<void>;
}
