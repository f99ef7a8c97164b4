import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely, sql } from "kysely";
import pg from "pg";
import { describeAddress, parsePostgresUrl } from "../../model/postgres-address.ts";
import { migrate } from "../migrate.ts";
import type { MoveTarget } from "../move.ts";
import { DatabaseError } from "../port.ts";
import type { Tables } from "../schema.ts";
import { begin, handle, lockMigrations, requireServer } from "./database.ts";
import { released } from "./migrations/released.ts";
import { openPool } from "./pool.ts";

/** Milliseconds that connections of programs that have just ended may take to disappear. */
const disconnectTimeoutMs = 3_000;

/** Their triggers count bytes that the copied connections have counted already. */
const counted = ["nodes", "contents", "node_references"];

/**
 * Makes the tables in an empty database and lets `work` fill them, in one transaction. Instances that start meanwhile wait for
 * its end. Throws `DatabaseError`, with nothing changed: `in_use` while another program is connected.
 */
export async function fillDatabase<T>(
  location: string,
  work: (target: MoveTarget) => Promise<T>,
): Promise<T> {
  const address = parsePostgresUrl(location);
  const name = describeAddress(address);
  const pool = openPool(address, { maxConnections: 1, answerTimeout: 0 });
  try {
    return await handle(pool, begin.locking)
      .transaction()
      .execute(async (trx) => {
        await requireServer(trx, name);
        await lockMigrations(trx);
        await requireAlone(trx, name);
        await requireNoTables(trx, name);
        await migrate(trx, { migrations: released, prepare: async () => null, now: () => performance.now() });
        await requireEmpty(trx, name);
        for (const table of counted) await sql.raw(`alter table ${table} disable trigger user`).execute(trx);
        const result = await work(await openTarget(trx));
        for (const table of counted) {
          await sql.raw(`alter table ${table} enable trigger user`).execute(trx);
          await sql.raw(`alter table ${table} disable trigger refuse_moving`).execute(trx);
        }
        return result;
      });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new DatabaseError("unusable", `The database ${name} cannot be filled: ${error.message}`, {
      cause: error,
    });
  } finally {
    await pool.close();
  }
}

async function requireAlone(trx: Kysely<Tables>, name: string): Promise<void> {
  const deadline = performance.now() + disconnectTimeoutMs;
  for (;;) {
    const { rows } = await sql<{ program: string }>`
      select coalesce(nullif(application_name, ''), 'a program without a name') as program from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
      trx,
    );
    const [other] = rows;
    if (other === undefined) return;
    if (performance.now() > deadline)
      throw new DatabaseError(
        "in_use",
        `Another program is connected to ${name} (${other.program}): stop it first. Nothing was changed.`,
      );
    await sleep(100);
  }
}

/** Throws if there are tables that no migration made. */
async function requireNoTables(trx: Kysely<Tables>, name: string): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select tablename as "table" from pg_tables where schemaname = current_schema()`.execute(trx);
  if (rows.length > 0 && !rows.some(({ table }) => table === "schema_migrations"))
    throw new DatabaseError(
      "unusable",
      `The database ${name} has tables of another program. Create an empty one.`,
    );
}

async function requireEmpty(trx: Kysely<Tables>, name: string): Promise<void> {
  for (const { table } of await tablesOf(trx)) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(trx);
    if (rows.length > 0)
      throw new DatabaseError(
        "unusable",
        `The database ${name} is not empty: there are rows in ${table}. Nothing was changed.`,
      );
  }
}

interface Table {
  readonly table: string;
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** Whether it gives out the ids of its rows. */
  readonly givesIds: boolean;
}

async function tablesOf(trx: Kysely<Tables>): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    select table_name as "table", json_agg(column_name order by ordinal_position) as columns,
      json_agg(data_type order by ordinal_position) as types, bool_or(is_identity = 'YES') as "givesIds"
    from information_schema.columns where table_schema = current_schema() and table_name <> 'schema_migrations'
    group by table_name`.execute(trx);
  return rows;
}

async function openTarget(trx: Kysely<Tables>): Promise<MoveTarget> {
  const tables = new Map((await tablesOf(trx)).map((table) => [table.table, table]));
  const find = (name: string): Table => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`There is no table ${name}`);
    return table;
  };
  return {
    db: trx,
    columns: async (table) => find(table).columns,
    async insert(table, rows) {
      const { columns, types } = find(table);
      const list = columns.map((column) => `"${column}"`).join(", ");
      const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
      const values = columns.map((_, index) => rows.map((row) => row[index]));
      await trx.executeQuery(
        CompiledQuery.raw(
          `insert into "${table}" (${list}) overriding system value select * from unnest(${arrays})`,
          values,
        ),
      );
    },
    async count(table) {
      const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(trx);
      return rows[0]?.count ?? 0;
    },
    async continueIds(lastIds) {
      for (const { table, givesIds } of tables.values()) {
        const last = lastIds.get(table);
        if (!givesIds || last === undefined || last < 1) continue;
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last}::int8)`.execute(trx);
      }
    },
  };
}
