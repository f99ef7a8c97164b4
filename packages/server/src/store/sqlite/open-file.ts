import type { Database, Statement } from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";

/** Statements kept prepared per open file. The one used longest ago goes first. */
const preparedStatements = 256;

/** An open file with its prepared statements. */
export class OpenFile {
  readonly #file: Database;
  readonly #prepared = new Map<string, Statement<unknown[]>>();

  constructor(file: Database) {
    this.#file = file;
  }

  get inTransaction(): boolean {
    return this.#file.inTransaction;
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
    this.#file.close();
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
