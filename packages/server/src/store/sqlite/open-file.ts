import type { Database, Statement } from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";

/** Statements kept prepared per open file. The one used longest ago goes first. */
const preparedStatements = 256;

/** A file with its prepared statements, opened by its first statement. */
export class OpenFile {
  readonly #open: () => Database;
  readonly #prepared = new Map<string, Statement<unknown[]>>();
  #opened: Database | undefined;

  constructor(open: () => Database) {
    this.#open = open;
  }

  get #file(): Database {
    this.#opened ??= this.#open();
    return this.#opened;
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
    if (known !== undefined) this.#prepared.delete(sql);
    const statement = known ?? this.#file.prepare<unknown[]>(sql);
    this.#prepared.set(sql, statement);
    const oldest = this.#prepared.keys().next();
    if (this.#prepared.size > preparedStatements && !oldest.done) this.#prepared.delete(oldest.value);
    return statement;
  }
}
