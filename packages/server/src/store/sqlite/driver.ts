import type { Database } from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { OpenFile } from "./open-file.ts";

/** How the driver opens files and begins transactions. */
export interface DriverOptions {
  readonly open: () => Database;
  /** `immediate` takes the write lock at once; `deferred` reads one snapshot. */
  readonly begin: "immediate" | "deferred";
  /** How many transactions may run at a time. */
  readonly transactions: number;
}

/**
 * How Kysely reaches SQLite. A query outside a transaction runs on a file of its own and never waits for
 * anything in this process; a transaction takes one of `transactions` files for itself and waits where all
 * are taken. Kysely's own driver has one file behind one lock and begins transactions `deferred`, which loses
 * a read-then-write to SQLITE_BUSY as soon as another process writes.
 */
export class SqliteDriver implements Driver {
  readonly #options: DriverOptions;
  readonly #idle: OpenFile[] = [];
  readonly #waiting: ((file: OpenFile) => void)[] = [];
  #opened = 0;
  #shared: OpenFile | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    return new Lease(() => (this.#shared ??= new OpenFile(this.#options.open())));
  }

  async releaseConnection(lease: Lease): Promise<void> {
    const file = lease.own;
    if (file === null) return;
    lease.own = null;
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(file);
    else next(file);
  }

  async beginTransaction(lease: Lease): Promise<void> {
    lease.own = await this.#take();
    lease.own.run(`begin ${this.#options.begin}`);
  }

  async commitTransaction(lease: Lease): Promise<void> {
    lease.own?.run("commit");
  }

  async rollbackTransaction(lease: Lease): Promise<void> {
    // SQLite itself has already rolled back after some errors, a full disk for example.
    if (lease.own?.inTransaction) lease.own.run("rollback");
  }

  /** Waits for the transactions that run, then closes every file. */
  async destroy(): Promise<void> {
    for (let left = this.#opened; left > 0; left -= 1) (await this.#take()).close();
    this.#shared?.close();
  }

  async #take(): Promise<OpenFile> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#opened < this.#options.transactions) {
      const file = new OpenFile(this.#options.open());
      this.#opened += 1;
      return file;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** What Kysely holds while it runs a query or a transaction. */
class Lease implements DatabaseConnection {
  /** The file of a transaction. */
  own: OpenFile | null = null;
  readonly #shared: () => OpenFile;

  constructor(shared: () => OpenFile) {
    this.#shared = shared;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (this.own ?? this.#shared()).execute<Row>(query);
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method, and the store pages by key instead
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported: page by key");
  }
}
