import { Kysely, sql } from "kysely";
import { describeAddress, parsePostgresUrl } from "../../model/postgres-address.ts";
import type { DatabaseReader, ExclusiveDatabase, OpenOptions } from "../backend.ts";
import {
  type Migration,
  migrate,
  newestVersion,
  type SchemaMark,
  schemaVersion,
  selectStopping,
} from "../migrate.ts";
import { type ConnectionRoom, type Database, DatabaseError, type ReadHandle, type Upgrade } from "../port.ts";
import type { Tables } from "../schema.ts";
import { assembleDatabase, execute } from "../wrappers/assemble.ts";
import { defaultLockWait, type LockWait } from "../wrappers/lock-wait.ts";
import { SchemaWatch } from "../wrappers/schema-watch.ts";
import { createServerClock } from "./clock.ts";
import { type Begin, postgresDialect } from "./driver.ts";
import { isConflict, isMissing, isUnavailable, openFault } from "./errors.ts";
import { readPooledGraphRows } from "./graph-rows.ts";
import { released } from "./migrations/released.ts";
import { applicationName, openPool, type Pool } from "./pool.ts";

export { released } from "./migrations/released.ts";

/** Copies nothing: its own programs make dumps. */
export async function roomForCopy(): Promise<null> {
  return null;
}

/** The oldest PostgreSQL that Clew works with. */
const minServerVersion = 150_000;

/** Connections of an instance besides those of its pool: of the index thread, the query threads and the thread that builds graphs. */
const threadConnections = 12;

/** Connections of a thread that reads. */
const readerConnections = 2;

/** Milliseconds after which the server ends a transaction whose process has stopped: it holds locks that others need. */
const idleInTransactionMs = 10_000;

export const begin = {
  write: {
    statement: `begin isolation level serializable, read write; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    reads: false,
  },
  // For `Database.record` and `locked`.
  record: {
    statement: `begin isolation level read committed, read write; set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
    reads: false,
  },
  read: { statement: "begin isolation level repeatable read, read only", reads: true },
  // After waiting for a lock, it sees everything that the previous holder committed.
  locking: { statement: "begin isolation level read committed, read write", reads: false },
} satisfies Record<string, Begin>;

/**
 * Locks the schema for a transaction, against a migration: it begins after the transaction, or the transaction sees what it did.
 * PostgreSQL takes the snapshot of a serializable transaction before a `select` waits for a lock, and after `lock table` has it.
 * https://www.postgresql.org/docs/current/sql-lock.html
 */
const lockSchema = {
  forWriting: "lock table schema_migrations in row share mode",
  forMigrating: "lock table schema_migrations in exclusive mode",
};

/** How transactions begin that write, in a program with this newest schema that `watch` watches. */
function watched(how: Begin, newest: number, watch: SchemaWatch): Begin {
  const stopping = selectStopping(newest);
  if (stopping === null) return how;
  return {
    statement: `${how.statement}; ${lockSchema.forWriting}; ${stopping}`,
    reads: false,
    // The statement selects marks.
    check: (rows) => watch.refuse(rows as readonly SchemaMark[]),
  };
}

/** Queries on a pool. */
export function handle(pool: Pool, how: Begin): Kysely<Tables> {
  return new Kysely({ dialect: postgresDialect(pool, how) });
}

/** Opens the database for reading, whatever its schema. */
export function openReader(url: string): DatabaseReader {
  const pool = openPool(parsePostgresUrl(url), { maxConnections: readerConnections });
  const read = handle(pool, begin.read);
  return {
    read,
    snapshot: (work) => read.transaction().execute(work),
    isUnavailable,
    serverTime: () => readTime(read),
    close: () => pool.close(),
  };
}

/** Whether there is a database that a Clew has migrated. Throws `DatabaseError` if the server has no such database. */
export async function databaseExists(url: string): Promise<boolean> {
  const { read, close } = openReader(url);
  try {
    return (await schemaVersion(read)) > 0;
  } catch (error) {
    if (isMissing(error) && !(error instanceof DatabaseError)) return false;
    throw error;
  } finally {
    await close();
  }
}

/** Opens the database for this process alone; null if another Clew, or a pooler for it, is connected. */
export async function openExclusively(url: string): Promise<ExclusiveDatabase | null> {
  const pool = openPool(parsePostgresUrl(url), { maxConnections: 1 });
  const others = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName} and pid <> pg_backend_pid()`.execute(
    handle(pool, begin.read),
  );
  if (others.rows.length === 0) {
    const writer = handle(pool, begin.write);
    return { transaction: (work) => execute(writer, work), close: () => pool.close() };
  }
  await pool.close();
  return null;
}

/** Opens the database and brings its schema up to date, one process at a time (OPS-4). Throws `DatabaseError`. */
export async function openDatabase(
  url: string,
  {
    migrations = released,
    lockWait = defaultLockWait,
    clock: given,
    maxConnections,
    onPoolWait,
  }: OpenOptions = {},
): Promise<Database> {
  const address = parsePostgresUrl(url);
  const pool = openPool(address, {
    ...(maxConnections !== undefined && { maxConnections }),
    ...(onPoolWait !== undefined && { onWait: onPoolWait }),
  });
  const read = handle(pool, begin.read);
  const newest = newestVersion(migrations);
  const watch = new SchemaWatch(newest);
  const start = async () => {
    const upgrade = await bringUpToDate(url, migrations, lockWait);
    if (given !== undefined) return { upgrade, clock: given, stop() {} };
    const clock = await createServerClock(
      () => readTime(read),
      () => performance.now(),
    );
    return { upgrade, ...clock };
  };
  const { upgrade, clock, stop } = await start().catch(async (error) => {
    await pool.close();
    throw openFault(error, address);
  });
  return assembleDatabase({
    location: { kind: "postgres", url },
    clock,
    read,
    writer: handle(pool, watched(begin.write, newest, watch)),
    recorder: handle(pool, watched(begin.record, newest, watch)),
    watch,
    upgrade,
    lockWait,
    snapshot: (work) => read.transaction().execute(work),
    graphRows: (connectionId, use) => readPooledGraphRows(pool, connectionId, use),
    isUnavailable,
    isConflict,
    poolCounts: pool.counts,
    ...(address.prepares && { connectionRoom: () => readConnectionRoom(read, address.maxConnections) }),
    close() {
      stop();
      return pool.close();
    },
  });
}

async function readConnectionRoom(db: ReadHandle, maxConnections: number): Promise<ConnectionRoom> {
  const { rows } = await sql<{ limit: number; open: number }>`
    select current_setting('max_connections')::int8 - current_setting('superuser_reserved_connections')::int8 as limit,
      count(*) as open
    from pg_stat_activity where backend_type = 'client backend'`.execute(db);
  const { limit, open } = rows[0] ?? { limit: 0, open: 0 };
  return { own: maxConnections + threadConnections, limit, open };
}

async function readTime(db: ReadHandle): Promise<number> {
  const { rows } = await sql<{ time: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::int8 as time`.execute(db);
  return rows[0]?.time ?? Number.NaN;
}

/** Migrates under a lock that ends with the transaction, since a pooler may give each transaction another session. */
async function bringUpToDate(
  url: string,
  migrations: readonly Migration[],
  { now }: LockWait,
): Promise<Upgrade | null> {
  const address = parsePostgresUrl(url);
  const pool = openPool(address, { maxConnections: 1, answerTimeout: 0 });
  try {
    return await handle(pool, begin.locking)
      .transaction()
      .execute(async (trx) => {
        await requireServer(trx, describeAddress(address));
        await lockMigrations(trx);
        // Programs that write have ended their transactions by then, and wait with the next ones.
        const prepare = async () => {
          await sql.raw(lockSchema.forMigrating).execute(trx);
          return null;
        };
        return migrate(trx, { migrations, prepare, now });
      });
  } finally {
    await pool.close();
  }
}

/** Waits for other processes that migrate, however long they take. */
export async function lockMigrations(trx: Kysely<Tables>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local lock_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(hashtext('clew migrations'))`.execute(trx);
}

/** Throws `DatabaseError` if Clew cannot use the server of the database called `name`. */
export async function requireServer(db: Kysely<Tables>, name: string): Promise<void> {
  const { rows } = await sql<{ number: string; version: string; encoding: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`.execute(db);
  const [server] = rows;
  if (Number(server?.number) < minServerVersion)
    throw new DatabaseError(
      "unusable",
      `The server of ${name} is PostgreSQL ${server?.version}, and Clew needs 15 or newer. Upgrade the server, or set DATABASE_URL to another.`,
    );
  if (server?.encoding !== "UTF8")
    throw new DatabaseError(
      "unusable",
      `The database ${name} has the encoding ${server?.encoding}. Create it with \`ENCODING 'UTF8' TEMPLATE template0\`.`,
    );
}
