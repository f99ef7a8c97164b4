import { Kysely, sql } from "kysely";
import { createCommitCache } from "./commit-cache.ts";
import { DatabaseError } from "./error.ts";
import type { Database } from "./port.ts";
import type { Tables } from "./schema.ts";
import { openCommitCounter } from "./sqlite/commit-counter.ts";
import { copyDatabase } from "./sqlite/copy.ts";
import { sqliteDialect } from "./sqlite/dialect.ts";
import { openForReading, openForWriting, prepareFile } from "./sqlite/file.ts";
import { keptCopyPath } from "./sqlite/kept-copies.ts";
import { openAlone } from "./sqlite/lock.ts";
import { type LockWait, lockWait as standardLockWait } from "./sqlite/lock-wait.ts";
import { migrate, newestVersion, schemaVersion } from "./sqlite/migrations/migrate.ts";
import type { Migration } from "./sqlite/migrations/migration.ts";
import { released } from "./sqlite/migrations/released.ts";
import { createWriteCheck, isFull } from "./sqlite/write-check.ts";

/** Read transactions that may run at a time; single queries are not counted. */
const snapshots = 2;

/** Reads that are remembered between two commits. */
const remembered = 10_000;

/** Opens the database at `path` for reading alone, whatever its schema. */
export function openReader(
  path: string,
  lockWait: LockWait = standardLockWait,
): Pick<Database, "read" | "snapshot" | "close"> {
  const open = () => openForReading(path);
  const read = new Kysely<Tables>({
    dialect: sqliteDialect({ open, begin: "deferred", transactions: snapshots, lockWait }),
  });
  return {
    read,
    snapshot: (work) => read.transaction().execute(work),
    close: () => read.destroy(),
  };
}

/**
 * Opens the database at `path`, whose schema must be this program's, for this process alone until it is closed; null where
 * another process has it open.
 */
export function openDatabaseAlone(path: string): Pick<Database, "transaction" | "close"> | null {
  const file = openAlone(path);
  if (file === null) return null;
  const writer = new Kysely<Tables>({
    dialect: sqliteDialect({
      open: () => file,
      begin: "immediate",
      transactions: 1,
      lockWait: standardLockWait,
    }),
  });
  return {
    transaction: (work) => writer.transaction().execute(work),
    close: async () => {
      await writer.destroy();
      file.close();
    },
  };
}

/**
 * Opens the database at `path`, makes it where there is none (mode 0600) and brings its schema up to date, one
 * process at a time (OPS-4). Throws `DatabaseError`.
 */
export async function openDatabase(options: {
  path: string;
  /** Another history of the schema, for tests of migrating. */
  migrations?: readonly Migration[];
  /** Whether a copy is kept of a database that is migrated: what is a copy itself needs none. */
  backUp?: boolean;
  /** How to wait for other processes. */
  lockWait?: LockWait;
  /** Dates the copy. */
  clock?: () => number;
  /** Told of a write that failed because the disk is full. */
  onFull?: () => void;
}): Promise<Database> {
  const {
    path,
    migrations = released,
    backUp = true,
    lockWait = standardLockWait,
    clock = Date.now,
    onFull = () => {},
  } = options;
  const keepCopy = async (version: number) => {
    if (backUp) await copyDatabase(path, keptCopyPath(path, `schema-${version + 1}`, clock()));
  };
  const writer = new Kysely<Tables>({
    dialect: sqliteDialect({
      open: () => openForWriting(path),
      begin: "immediate",
      transactions: 1,
      lockWait,
    }),
  });
  const reader = openReader(path, lockWait);
  const close = async () => {
    await reader.close();
    await writer.destroy();
  };

  try {
    await prepareFile(path, lockWait);
    await writer.transaction().execute((trx) => migrate(trx, migrations, keepCopy));
  } catch (error) {
    await close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError("unusable", `The database ${path} cannot be opened`, { cause: error });
  }

  const commits = openCommitCounter(path);
  let logHoldsDeleted = true;
  const transaction: Database["transaction"] = async (work) => {
    try {
      const result = await writer.transaction().execute(work);
      written.note(true);
      return result;
    } catch (error) {
      if (isFull(error)) onFull();
      throw error;
    }
  };
  const written = createWriteCheck(
    () => transaction((trx) => sql`update installation set id = id`.execute(trx)),
    lockWait,
  );
  return {
    canWrite: written.check,
    path,
    read: reader.read,
    snapshot: reader.snapshot,
    memory: createCommitCache(commits.version, remembered),
    transaction,
    deletedForGood() {
      logHoldsDeleted = true;
    },
    async truncateLog() {
      if (!logHoldsDeleted) return;
      logHoldsDeleted = false;
      // https://sqlite.org/pragma.html#pragma_wal_checkpoint
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(writer);
      if (rows[0]?.busy !== 0) logHoldsDeleted = true;
    },
    ready: async () => {
      try {
        return (await schemaVersion(reader.read)) === newestVersion(migrations);
      } catch {
        return false;
      }
    },
    schemaVersion: () => schemaVersion(reader.read),
    close: async () => {
      // The writer goes last: whoever closes the file last takes the log back into it, which readers cannot.
      commits.close();
      await close();
    },
  };
}
