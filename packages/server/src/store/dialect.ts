import type { Clock, ObserveCache, RandomBytes } from "../model/runtime.ts";
import type { Migration } from "./migrate.ts";
import type { Database, TextReader, TextWriter } from "./port.ts";
import type { LockWait } from "./wait.ts";

/** How a database is opened. A dialect leaves aside what it does not need. */
export interface OpenOptions {
  /** A `Database.location`. */
  readonly location: string;
  /** Another history of the schema, for tests of migrations. */
  readonly migrations?: readonly Migration[];
  /** How to wait for other processes. */
  readonly lockWait?: LockWait;
  readonly observeCache?: ObserveCache;
  /** Whether to keep a copy of a file before it is migrated. */
  readonly backUp?: boolean;
  /** `Database.clock`, for tests; left out, it is the clock of the server, or of this machine if there is none. */
  readonly clock?: Clock;
  /** Fills the reserve on the disk. */
  readonly random?: RandomBytes;
}

/** What the folder of a dialect has for the rest of Clew, in its file dialect.ts. */
export interface Dialect {
  /** Opens a database, creates what is missing, and brings its schema up to date (OPS-4). Throws `DatabaseError`. */
  openDatabase(options: OpenOptions): Promise<Database>;
  /** Opens a database for reading, whatever its schema. */
  openReader(location: string, lockWait?: LockWait): DatabaseReader;
  /** Whether there is a database, of whatever schema. */
  databaseExists(location: string): Promise<boolean>;
  /** Opens a database for this process alone, with this program's schema; null if another process has it open. */
  openExclusively(location: string): Promise<Pick<Database, "transaction" | "close"> | null>;
  /** Opens the text index of a database for reading; null if there is none. */
  openTextReader(location: string): Promise<TextReader | null>;
  /**
   * Opens the text index of a database for writing, and creates it if it is missing. An index of another installation or
   * format is deleted first, and `onDeleted` called with the reason.
   */
  openTextWriter(
    location: string,
    fingerprint: Uint8Array,
    onDeleted: (reason: string) => void,
  ): Promise<TextWriter>;
  deleteTextIndex(location: string): Promise<void>;
}

export type DatabaseReader = Pick<Database, "read" | "snapshot" | "isUnavailable" | "close">;
