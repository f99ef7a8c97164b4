import type { Clock, ObserveCache, RandomBytes } from "../model/runtime.ts";
import type { Migration } from "./migrate.ts";
import type { Database, GraphReading, StoredGraphRows, TextReader, TextWriter } from "./port.ts";
import type { LockWait } from "./wrappers/lock-wait.ts";

/*
 * A backend is a folder with what one kind of database needs. Its functions take an address: the path of a file, or a URL.
 */

/** The modules of a backend. */
export interface Backend {
  database(): Promise<DatabaseModule>;
  graphRows(): Promise<GraphRowsModule>;
  textIndex(): Promise<TextIndexModule>;
}

/** How a database is opened. A backend ignores what it does not need. */
export interface OpenOptions {
  /** Another history of the schema, for tests of migrations. */
  readonly migrations?: readonly Migration[];
  /** How to wait for other processes. */
  readonly lockWait?: LockWait;
  readonly observeCache?: ObserveCache;
  /** Called with the milliseconds that each caller waited for a connection to a server. */
  readonly onPoolWait?: (ms: number) => void;
  /** Whether to keep a copy of a file before it is migrated. */
  readonly backUp?: boolean;
  /** `Database.clock`, for tests; left out, it is the clock of the server, or of this machine if there is none. */
  readonly clock?: Clock;
  /** Connections to a server at most, in place of those that its address names. */
  readonly maxConnections?: number;
  /** Fills the reserve on the disk. */
  readonly random?: RandomBytes;
}

export interface DatabaseReader extends Pick<Database, "read" | "snapshot" | "isUnavailable" | "close"> {
  /** The time of the database's server in milliseconds; null for a file, which has no clock. */
  serverTime(): Promise<number | null>;
}

export type ExclusiveDatabase = Pick<Database, "transaction" | "close">;

interface DatabaseModule {
  /** Every step from an empty database to this program's schema, in order. */
  readonly released: readonly Migration[];
  /** Opens a database, creates what is missing, and brings its schema up to date (OPS-4). Throws `DatabaseError`. */
  openDatabase(address: string, options: OpenOptions): Promise<Database>;
  /** Opens a database for reading, whatever its schema. */
  openReader(address: string): DatabaseReader;
  /** Whether there is a database, of whatever schema. */
  databaseExists(address: string): Promise<boolean>;
  /** The bytes that a copy takes at most which a migration makes before, and those that are free for it; null if it makes none. */
  roomForCopy(address: string): Promise<{ readonly bytes: number; readonly free: number } | null>;
  /** Opens a database for this process alone, with this program's schema; null if another process has it open. */
  openExclusively(address: string): Promise<ExclusiveDatabase | null>;
}

interface GraphRowsModule {
  /** `Database.graphRows` without the database, which is opened for it. */
  readGraphRows<T>(
    address: string,
    connectionId: number,
    use: (rows: StoredGraphRows) => T,
    reading?: GraphReading,
  ): T | Promise<T>;
  isUnavailable(error: unknown): boolean;
}

interface TextIndexModule {
  /** Opens the text index of a database for reading; null if there is none. */
  openTextReader(address: string): Promise<TextReader | null>;
  /**
   * Opens the text index of a database for writing, and creates it if it is missing. An index of another installation or
   * format is deleted first, and `onDeleted` called with the reason.
   */
  openTextWriter(
    address: string,
    fingerprint: Uint8Array,
    onDeleted: (reason: string) => void,
  ): Promise<TextWriter>;
  deleteTextIndex(address: string): Promise<void>;
}
