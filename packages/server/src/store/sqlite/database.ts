import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { Database as BetterSqlite3, Statement } from "better-sqlite3";
import { CompiledQuery, Kysely, sql } from "kysely";
import type { ExclusiveDatabase, OpenOptions } from "../backend.ts";
import { migrate, newestVersion, type SchemaMark, selectStopping } from "../migrate.ts";
import type { Database, Upgrade } from "../port.ts";
import type { Tables } from "../schema.ts";
import { assembleDatabase, execute } from "../wrappers/assemble.ts";
import { defaultLockWait, type LockWait } from "../wrappers/lock-wait.ts";
import { SchemaWatch } from "../wrappers/schema-watch.ts";
import { SqliteActivity } from "./activity.ts";
import { copyDatabase, keptCopyPath, removeOldCopies } from "./copies.ts";
import { createDiskReserve } from "./disk.ts";
import { sqliteDialect } from "./driver.ts";
import {
  isBusy,
  isFull,
  isUnavailable,
  openExclusive,
  openForReading,
  openForWriting,
  prepareFile,
} from "./file.ts";
import { FilesInPlace } from "./files-in-place.ts";
import { readGraphRows } from "./graph-rows.ts";
import { released } from "./migrations/released.ts";
import { openFault } from "./open-fault.ts";

export { roomForCopy } from "./copies.ts";
export { released } from "./migrations/released.ts";

/** Snapshots that may be read at a time; single queries are not counted. */
const maxSnapshots = 2;

/** Callers that are remembered between two commits. */
const maxCallers = 10_000;

/** Opens the database at `path` read-only, whatever its schema. */
export function openReader(path: string, lockWait: LockWait = defaultLockWait) {
  const open = () => openForReading(path);
  const dialect = sqliteDialect({ open, begin: "deferred", maxTransactions: maxSnapshots, lockWait });
  const read = new Kysely<Tables>({ dialect });
  const snapshot: Database["snapshot"] = (work) => read.transaction().execute(work);
  return {
    read,
    snapshot,
    isUnavailable,
    serverTime: async () => null,
    close: () => read.destroy(),
  };
}

export async function databaseExists(path: string): Promise<boolean> {
  return existsSync(path);
}

/** Opens the database at `path` for this process alone, with this program's schema; null if another process has it open. */
export async function openExclusively(path: string): Promise<ExclusiveDatabase | null> {
  const file = openExclusive(path);
  if (file === null) return null;
  const writer = openWriter(() => file, defaultLockWait);
  return {
    transaction: (work) => execute(writer, work),
    close: async () => {
      await writer.destroy();
      file.close();
    },
  };
}

function openWriter(open: () => BetterSqlite3, lockWait: LockWait): Kysely<Tables> {
  return new Kysely({ dialect: sqliteDialect({ open, begin: "immediate", maxTransactions: 1, lockWait }) });
}

/**
 * Opens the database at `path`, creates it if it is missing (mode 0600) and brings its schema up to date, one process at a
 * time (OPS-4). Throws `DatabaseError`.
 */
export async function openDatabase(
  path: string,
  {
    migrations = released,
    backUp = true,
    lockWait = defaultLockWait,
    clock = Date.now,
    random = randomBytes,
    observeCache = () => {},
  }: OpenOptions = {},
): Promise<Database> {
  const reserve = createDiskReserve({ path, random });
  const writer = openWriter(() => openForWriting(path), lockWait);
  const reader = openReader(path, lockWait);
  const closeHandles = async () => {
    await reader.close();
    // Last, since the last one to close the file writes the log back into it, which a reader cannot do.
    await writer.destroy();
  };

  let upgrade: Upgrade | null;
  try {
    // SQLite needs room for its side files.
    if (existsSync(path)) await reserve.measure();
    await prepareFile(path, lockWait);
    const keepCopy = async (version: number) => {
      if (!backUp) return null;
      const copy = keptCopyPath(path, `schema-${version + 1}`, clock());
      await copyDatabase(path, copy);
      return copy;
    };
    const { now } = lockWait;
    upgrade = await writer
      .transaction()
      .execute((trx) => migrate(trx, { migrations, prepare: keepCopy, now }));
  } catch (error) {
    await closeHandles();
    throw openFault(path, error);
  }

  const watch = new SchemaWatch(newestVersion(migrations));
  const stopping = selectStopping(newestVersion(migrations));
  const files = new FilesInPlace(path);
  const commits = openCommitCounter(path, files);
  const activity = new SqliteActivity(path, lockWait);
  let logHoldsErased = true;

  return assembleDatabase({
    ...reader,
    location: { kind: "sqlite", path },
    clock,
    writer,
    activity,
    watch,
    ...(stopping !== null && {
      lookAtSchema: async (trx) =>
        watch.refuse((await trx.executeQuery<SchemaMark>(CompiledQuery.raw(stopping))).rows),
    }),
    placeFault: () => files.fault(),
    requirePlace: () => files.require(),
    // On a file of its own: one that is open answers from its cache.
    requireReadable: async () => readEachTable(path),
    upgrade,
    lockWait,
    graphRows: async (connectionId, use) => readGraphRows(path, connectionId, use),
    // Transactions run one at a time.
    isConflict: () => false,
    async onFailure(error) {
      // If this fails as well, the next `checkRoom` reports it.
      if (isFull(error)) await reserve.release().catch(() => {});
    },
    callers: { commitVersion: commits.version, maxRecords: maxCallers },
    observeCache,
    upkeep: {
      noteErasure() {
        logHoldsErased = true;
      },
      async eraseRemains() {
        if (!logHoldsErased) return;
        logHoldsErased = false;
        // https://sqlite.org/pragma.html#pragma_wal_checkpoint
        const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(writer);
        if (rows[0]?.busy !== 0) logHoldsErased = true;
      },
      removeOldCopies: (before) => removeOldCopies(path, before),
      room: reserve.room,
      checkRoom: reserve.check,
    },
    async close() {
      commits.close();
      await activity.close();
      await closeHandles();
    },
  });
}

/**
 * A number that differs once any process has committed; NaN, which equals nothing, while a lock prevents reading it. On a
 * file of its own: SQLite counts the commits of all other connections. https://sqlite.org/pragma.html#pragma_data_version
 * Throws `DatabaseError` if the database is no longer in its place: nobody is let in by what it held (ERR-4).
 */
function openCommitCounter(path: string, files: FilesInPlace): { version(): number; close(): void } {
  const file = openForReading(path);
  let dataVersion: Statement<[], number> | undefined;
  return {
    version() {
      files.require();
      try {
        dataVersion ??= file.prepare<[], number>("pragma data_version").pluck();
        return dataVersion.get() ?? Number.NaN;
      } catch (error) {
        if (isBusy(error)) return Number.NaN;
        throw error;
      }
    },
    close: () => file.close(),
  };
}

/** Reads a row of each table from the disk, in a millisecond: that finds a file that was cut or overwritten. Throws SQLite's error. */
function readEachTable(path: string): void {
  const file = openForReading(path);
  try {
    const names = file.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck();
    const rows = names.all().map((name) => `exists (select * from "${name}")`);
    file.prepare(`select ${rows.join(", ")}`).get();
  } finally {
    file.close();
  }
}
