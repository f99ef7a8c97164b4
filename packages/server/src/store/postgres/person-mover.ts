import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely, sql } from "kysely";
import { describeAddress, parsePostgresUrl } from "../../model/postgres-address.ts";
import { type PersonTable, personTables } from "../person-tables.ts";
import { DatabaseError, type ReadHandle, type WriteTransaction } from "../port.ts";
import { isAnyoneMoving } from "../queries/moving.ts";
import type { Tables } from "../schema.ts";
import { defaultLockWait, retryWhile } from "../wrappers/lock-wait.ts";
import { begin, handle } from "./database.ts";
import { isConflict, isLocked } from "./errors.ts";
import { openPool, type Pool } from "./pool.ts";

/** Rows that are read and written at a time: a text may have some hundred thousand characters. */
const rowsAtATime = 200;

/** Milliseconds that the triggers' tables are waited for at a time: meanwhile other writers wait too. */
const lockTimeoutMs = 2_000;
const lockAttempts = 30;
const lockPauseMs = 500;

type Value = string | number | Uint8Array | null;

/** The tables that have rows of a person, after those that they refer to. */
const tables = Object.entries(personTables as Readonly<Record<string, PersonTable>>).flatMap(([name, how]) =>
  "by" in how ? [{ name, ...how }] : [],
);

/** The columns that differ between a person's rows in two buckets. */
const differing = { users: ["moving"], connections: ["stored_bytes"] } as Readonly<
  Record<string, readonly string[]>
>;

/** The number of a person's rows in a table, and a digest of what they have in common in both buckets. */
interface TableDigest {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

/** A bucket as a move writes it: on connections of its own, whose transactions the triggers of a marked person let through. */
export class PersonMover {
  readonly #pool: Pool;
  readonly #reader: Kysely<Tables>;
  readonly #writer: Kysely<Tables>;
  /** The address without its password. */
  readonly name: string;

  constructor(url: string) {
    const address = parsePostgresUrl(url);
    this.#pool = openPool(address, { maxConnections: 3, answerTimeout: 0 });
    this.#reader = handle(this.#pool, begin.read);
    this.#writer = handle(this.#pool, begin.locking);
    this.name = describeAddress(address);
  }

  get read(): ReadHandle {
    return this.#reader;
  }

  /** Runs `work` as a transaction that may write marked people, however long it takes; again if it was in conflict with another. */
  transaction<T>(work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
    const attempt = () =>
      this.#writer.transaction().execute(async (trx) => {
        await sql`select set_config('clew.moves', 'on', true), set_config('statement_timeout', '0', true),
          set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
        return work(trx);
      });
    return retryWhile(isConflict, attempt, defaultLockWait);
  }

  /** Runs `work` on one view of all commits before it, however long it takes. */
  snapshot<T>(work: (db: ReadHandle) => Promise<T>): Promise<T> {
    return this.#reader.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
      return work(trx);
    });
  }

  /**
   * Runs `work` while no other move of the installation runs. The callback that it gets throws once that is no longer certain, because
   * the connection was lost. Throws `DatabaseError` `in_use` if another move runs.
   */
  alone<T>(work: (check: () => Promise<void>) => Promise<T>): Promise<T> {
    return this.#writer.transaction().execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      const { rows } = await sql<{ isAlone: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('clew move-person')) as "isAlone"`.execute(trx);
      if (rows[0]?.isAlone !== true)
        throw new DatabaseError("in_use", "Another person is being moved: wait for its end.");
      return work(async () => void (await sql`select 1`.execute(trx)));
    });
  }

  /**
   * Has triggers refuse the writes of marked people. Afterwards no transaction is under way that began to write before. Throws
   * `DatabaseError` `in_use` if a table's other writers do not end.
   */
  async refuseWrites(): Promise<void> {
    await this.#switchTriggers("enable", async (trx) => {
      const { rows } = await sql<{ isOn: boolean }>`
        select bool_and(tgenabled = 'O') as "isOn" from pg_trigger where tgname = 'refuse_moving'`.execute(
        trx,
      );
      return rows[0]?.isOn !== true;
    });
  }

  /** Ends that once nobody of the bucket is marked. */
  async allowWrites(): Promise<void> {
    await this.#switchTriggers("disable", async (trx) => !(await isAnyoneMoving(trx)));
  }

  async #switchTriggers(
    how: "enable" | "disable",
    isNeeded: (trx: ReadHandle) => Promise<boolean>,
  ): Promise<void> {
    const names = sql.join(tables.map(({ name }) => sql.table(name)));
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transaction(async (trx) => {
          if (!(await isNeeded(trx))) return;
          await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(trx);
          await sql`lock table ${names} in share row exclusive mode`.execute(trx);
          // Somebody may have been marked meanwhile.
          if (!(await isNeeded(trx))) return;
          for (const { name } of tables)
            await sql.raw(`alter table ${name} ${how} trigger refuse_moving`).execute(trx);
        });
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (attempt === lockAttempts)
          throw new DatabaseError(
            "in_use",
            `A program keeps writing to ${this.name} in one transaction, or copies it: try again once it has ended.`,
            { cause: error },
          );
      }
      await sleep(lockPauseMs);
    }
  }

  /** The person's connections. */
  async #connectionIds(db: ReadHandle, userId: string): Promise<readonly number[]> {
    const rows = await db.selectFrom("connections").select("id").where("user_id", "=", userId).execute();
    return rows.map(({ id }) => id);
  }

  /** Reads a person's rows, of all tables in order, as of one moment, and has `write` store some at a time. */
  readRows(
    userId: string,
    write: (table: string, columns: readonly Column[], rows: readonly (readonly Value[])[]) => Promise<void>,
  ): Promise<void> {
    return this.snapshot(async (trx) => {
      const ids = await this.#connectionIds(trx, userId);
      for (const table of tables) {
        const columns = await columnsOf(trx, table);
        // In the order of the ids, since the new ones ascend too.
        const order = table.newIds ? sql` order by id` : sql``;
        await sql`declare moved no scroll cursor for
          select ${list(columns)} from ${sql.table(table.name)} where ${ownedBy(table, userId, ids)}${order}`.execute(
          trx,
        );
        for (;;) {
          const { rows } = await sql<
            Record<string, Value>
          >`fetch ${sql.raw(String(rowsAtATime))} from moved`.execute(trx);
          if (rows.length > 0)
            await write(
              table.name,
              columns,
              rows.map((row) => columns.map(({ name }) => row[name] ?? null)),
            );
          if (rows.length < rowsAtATime) break;
        }
        await sql`close moved`.execute(trx);
      }
    });
  }

  /** Writes rows with their ids, or with new ones in their order. */
  async insert(
    trx: WriteTransaction,
    table: string,
    columns: readonly Column[],
    rows: readonly (readonly Value[])[],
  ): Promise<void> {
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
    const names = columns.map(({ name }) => `"${name}"`).join(", ");
    const values = columns.map((_, index) => rows.map((row) => row[index]));
    // With more columns than one, `unnest` keeps the order of its arrays.
    await trx.executeQuery(
      CompiledQuery.raw(
        `insert into "${table}" (${names}) overriding system value select * from unnest(${arrays})`,
        values,
      ),
    );
  }

  /** Brings the planner's statistics up to date, which does not wait for a copy: counts over the new rows would take seconds. */
  async analyze(): Promise<void> {
    await this.transaction((trx) =>
      sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(trx),
    );
  }

  /** A digest of a person's rows in each table. It does not depend on their order, nor on ids that are given anew. */
  async digests(db: ReadHandle, userId: string): Promise<readonly TableDigest[]> {
    const ids = await this.#connectionIds(db, userId);
    const digests: TableDigest[] = [];
    for (const table of tables) {
      const columns = await columnsOf(db, table);
      const { rows } = await sql<{ rows: number; digest: string | null }>`
        select count(*) as rows,
          sum(('x' || substr(md5(row(${list(columns)})::text), 1, 15))::bit(60)::int8)::text as digest
        from ${sql.table(table.name)} where ${ownedBy(table, userId, ids)}`.execute(db);
      digests.push({ table: table.name, rows: rows[0]?.rows ?? 0, digest: rows[0]?.digest ?? "" });
    }
    return digests;
  }

  /** The milliseconds since the Unix epoch by the clock of the server. */
  async now(): Promise<number> {
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::int8 as now`.execute(this.#reader);
    return rows[0]?.now ?? Number.NaN;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
}

type OwnTable = (typeof tables)[number];

/** The columns that a person's rows have in both buckets, in the order of the table. */
async function columnsOf(db: ReadHandle, { name, newIds }: OwnTable): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() and table_name = ${name} order by column_name`.execute(db);
  const left = [...(differing[name] ?? []), ...(newIds ? ["id"] : [])];
  return rows.filter((column) => !left.includes(column.name));
}

const list = (columns: readonly Column[]) => sql.join(columns.map(({ name }) => sql.ref(name)));

function ownedBy({ by }: OwnTable, userId: string, connectionIds: readonly number[]) {
  return by === "connection_id"
    ? sql`connection_id = any(${sql.val(connectionIds)}::int8[])`
    : sql`${sql.ref(by)} = ${userId}`;
}
