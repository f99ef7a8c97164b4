import type { Database, Statement } from "better-sqlite3";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { LRUCache } from "lru-cache";
import type { Profile } from "../queries/profile.ts";
import type { LockWait } from "../wrappers/lock-wait.ts";
import { retryWhileBusy } from "./file.ts";

interface DriverOptions {
  readonly open: () => Database;
  /** `immediate` takes the write lock at once; `deferred` reads one snapshot. */
  readonly begin: "immediate" | "deferred";
  /** Transactions that may run at a time; more of them wait in order. */
  readonly maxTransactions: number;
  readonly lockWait: LockWait;
}

/** Kysely's SQLite dialect on Clew's own driver. */
export function sqliteDialect(options: DriverOptions): Dialect {
  return {
    createDriver: () => new SqliteDriver(options),
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Lets Kysely use several connections at a time: the driver does its own waiting. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  readonly profile: Profile = {
    bindsLists: false,
    locksRows: false,
    sharesReads: false,
    marksChanges: false,
  };

  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Runs queries outside transactions on one shared file, without waiting, and each transaction on a file of its own. Kysely's
 * own driver has one file behind one lock and begins transactions `deferred`, so a transaction that reads and then writes
 * fails with SQLITE_BUSY as soon as another process writes.
 */
class SqliteDriver implements Driver {
  readonly #options: DriverOptions;
  readonly #idle: OpenFile[] = [];
  readonly #waiting: ((file: OpenFile) => void)[] = [];
  readonly #shared: OpenFile;
  #opened = 0;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#shared = new OpenFile(options.open);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#shared, this.#options.lockWait);
  }

  async releaseConnection({ file }: SqliteConnection): Promise<void> {
    if (file === this.#shared) return;
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(file);
    else next(file);
  }

  /** The lock's timeout includes the time in this process's own queue, so that a queue behind a held lock fails together. */
  async beginTransaction(connection: SqliteConnection): Promise<void> {
    const { begin, lockWait } = this.#options;
    const since = lockWait.now();
    const file = await this.#take();
    connection.file = file;
    await retryWhileBusy(() => file.run(`begin ${begin}`), lockWait, since);
  }

  async commitTransaction({ file }: SqliteConnection): Promise<void> {
    file.run("commit");
  }

  async rollbackTransaction({ file }: SqliteConnection): Promise<void> {
    // SQLite rolls back by itself after some errors, a full disk for example.
    if (file.inTransaction) file.run("rollback");
  }

  /** Waits for the transactions that run, then closes every file. */
  async destroy(): Promise<void> {
    for (let left = this.#opened; left > 0; left -= 1) (await this.#take()).close();
    this.#shared.close();
  }

  async #take(): Promise<OpenFile> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#opened < this.#options.maxTransactions) {
      this.#opened += 1;
      return new OpenFile(this.#options.open);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The connection that Kysely holds while it runs a query or a transaction. */
class SqliteConnection implements DatabaseConnection {
  /** The shared file, or that of its transaction. */
  file: OpenFile;
  readonly #lockWait: LockWait;

  constructor(file: OpenFile, lockWait: LockWait) {
    this.file = file;
    this.#lockWait = lockWait;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return retryWhileBusy(() => this.file.execute<Row>(query), this.#lockWait);
  }

  streamQuery(): never {
    throw new Error("Streaming is not supported: page by key");
  }
}

/** A file with its prepared statements, opened by its first statement. */
class OpenFile {
  readonly #open: () => Database;
  /** Bounded by characters too: a statement that writes a batch is long, and prepared takes several times its text. */
  readonly #prepared = new LRUCache<string, Statement<unknown[]>>({
    max: 256,
    maxSize: 500_000,
    sizeCalculation: (_statement, sql) => sql.length,
  });
  #opened: Database | undefined;

  constructor(open: () => Database) {
    this.#open = open;
  }

  get inTransaction(): boolean {
    return this.#opened?.inTransaction ?? false;
  }

  run(sql: string): void {
    this.#prepare(sql).run();
  }

  execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql);
    // The row type is Kysely's: it follows from the query and `Tables`.
    if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  close(): void {
    this.#prepared.clear();
    this.#opened?.close();
  }

  #prepare(sql: string): Statement<unknown[]> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    this.#opened ??= this.#open();
    const statement = this.#opened.prepare<unknown[]>(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
