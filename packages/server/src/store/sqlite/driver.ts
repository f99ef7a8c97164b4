import type { Database } from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { type LockWait, retryWhileBusy } from "./lock-wait.ts";
import { OpenFile } from "./open-file.ts";

/** How the driver opens files and begins transactions. */
export interface DriverOptions {
  readonly open: () => Database;
  /** `immediate` takes the write lock at once; `deferred` reads one snapshot. */
  readonly begin: "immediate" | "deferred";
  /** How many transactions may run at a time. */
  readonly transactions: number;
  readonly lockWait: LockWait;
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
    const { open, lockWait } = this.#options;
    return new Lease(() => (this.#shared ??= new OpenFile(open)), lockWait);
  }

  async releaseConnection(lease: Lease): Promise<void> {
    const file = lease.own;
    if (file === null) return;
    lease.own = null;
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(file);
    else next(file);
  }

  /** The time in the queue of this process counts: whoever is behind somebody who gave up does not wait as long again. */
  async beginTransaction(lease: Lease): Promise<void> {
    const { begin, lockWait } = this.#options;
    const since = lockWait.now();
    const file = await this.#take();
    lease.own = file;
    await retryWhileBusy(() => file.run(`begin ${begin}`), lockWait, since);
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
      this.#opened += 1;
      return new OpenFile(this.#options.open);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** What Kysely holds while it runs a query or a transaction. */
class Lease implements DatabaseConnection {
  /** The file of a transaction. */
  own: OpenFile | null = null;
  readonly #shared: () => OpenFile;
  readonly #lockWait: LockWait;

  constructor(shared: () => OpenFile, lockWait: LockWait) {
    this.#shared = shared;
    this.#lockWait = lockWait;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const file = this.own ?? this.#shared();
    return retryWhileBusy(() => file.execute<Row>(query), this.#lockWait);
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method, and the store pages by key instead
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported: page by key");
  }
}
