import { type Kysely, sql, type Transaction } from "kysely";
import type { DatabaseLocation } from "../../model/database-location.ts";
import type { Clock, ObserveCache } from "../../model/runtime.ts";
import type { ActivityDatabase, ActivityTables } from "../activity-tables.ts";
import { readSchemaMark } from "../migrate.ts";
import { type Database, DatabaseError, type WriteTransaction } from "../port.ts";
import { findCallers } from "../queries/callers.ts";
import type { Tables } from "../schema.ts";
import { batchCallers } from "./caller-batches.ts";
import { type LockWait, retryWhile } from "./lock-wait.ts";
import type { SchemaWatch } from "./schema-watch.ts";
import { createWriteCheck } from "./write-check.ts";

/*
 * A database is a backend's two handles in wrappers. In their order, the outermost first:
 *
 * - `Database.callers`: `batchCallers` gathers the keys of one turn of the event loop and remembers records until a commit.
 * - A query of queries/ on `Database.read`: `sharedRead` gathers the keys of a turn, `precompiled` builds the statement once,
 *   and the backend's driver prepares it once.
 * - `Database.transaction`, for syncs: `inTurns` (sync/steps/open-context.ts) waits until other syncs have had their turn, `limited`
 *   (sync/storage-limits.ts) undoes a write beyond a limit, and `fenced` (sync/jobs/lease.ts) refuses a worker without the job,
 *   whose row it has `Database.locked` lock.
 * - `Database.transaction`, `record` and `locked`, for all: a write that succeeded is noted for `canWrite`, one that conflicted is repeated, the
 *   `SchemaWatch` refuses one on a schema that stops this program, and `execute` runs the work, in tests twice.
 */

/** For tests: runs every transaction's work twice and undoes the first run, as the port allows. */
export const testSwitches = { repeatTransactions: false };

/** Runs `work` as one transaction of `writer`. */
export function execute<T, Rows = Tables>(
  writer: Kysely<Rows>,
  work: (trx: Transaction<Rows>) => Promise<T>,
): Promise<T> {
  if (!testSwitches.repeatTransactions) return writer.transaction().execute(work);
  return writer.transaction().execute(async (trx) => {
    await sql`savepoint first_run`.execute(trx);
    await work(trx);
    await sql`rollback to first_run`.execute(trx);
    return work(trx);
  });
}

/** A database as a backend opens it. */
interface OpenBackend
  extends Pick<Database, "graphRows" | "snapshot" | "isUnavailable" | "upgrade" | "close">,
    Partial<Pick<Database, "activity" | "upkeep" | "poolCounts" | "connectionRoom" | "placeFault">> {
  readonly location: DatabaseLocation;
  readonly clock: Clock;
  readonly read: Kysely<Tables>;
  readonly writer: Kysely<Tables>;
  /** Runs the transactions that need not be serializable; `writer` if left out. */
  readonly recorder?: Kysely<Tables>;
  readonly watch: SchemaWatch;
  /** Looks at the schema in a transaction, if `writer` does not when it begins one. */
  readonly lookAtSchema?: (trx: WriteTransaction) => Promise<void>;
  /** Throws `DatabaseError` `unreachable` if what is written would be lost. */
  readonly requirePlace?: () => void;
  /** Throws if the data cannot be read, beyond the schema. */
  readonly requireReadable?: () => Promise<void>;
  readonly lockWait: LockWait;
  /** Whether a transaction failed because of another one, and can be run again. */
  readonly isConflict: (error: unknown) => boolean;
  /** Called after a transaction failed, before its error is thrown. */
  readonly onFailure?: (error: unknown) => Promise<void>;
  /** The options of `batchCallers`, if commits are counted. */
  readonly callers?: { readonly commitVersion: () => number; readonly maxRecords: number };
  readonly observeCache?: ObserveCache;
}

/** Wraps the handles that a backend has opened. */
export function assembleDatabase(backend: OpenBackend): Database {
  const { location, clock, read, writer, watch, upgrade, lockWait, upkeep, poolCounts } = backend;
  const { recorder = writer, connectionRoom, placeFault } = backend;
  const { graphRows, snapshot, isConflict, onFailure, lookAtSchema, close } = backend;
  const { requirePlace = () => {}, requireReadable = async () => {} } = backend;
  const isUnavailable: Database["isUnavailable"] = (error) =>
    backend.isUnavailable(error) ||
    (error instanceof DatabaseError && ["other_schema", "unreachable"].includes(error.code));
  const schemaState: Database["schemaState"] = async () => watch.note(await readSchemaMark(read));

  async function run<T>(on: Kysely<Tables>, work: (trx: WriteTransaction) => Promise<T>): Promise<T> {
    const watched: typeof work = async (trx) => {
      await lookAtSchema?.(trx);
      const result = await work(trx);
      // Last, since nothing else comes between it and the commit.
      requirePlace();
      return result;
    };
    try {
      const result = await retryWhile(isConflict, () => execute(on, watched), lockWait);
      writes.note(true);
      return result;
    } catch (error) {
      await onFailure?.(error);
      throw error;
    }
  }
  const record: Database["record"] = (work) => run(recorder, work);
  const writes = createWriteCheck(
    () => record((trx) => sql`update installation set id = id`.execute(trx)),
    lockWait,
  );

  return {
    location,
    clock,
    read,
    activity: backend.activity ?? activityWithin(read, record),
    callers: batchCallers({
      find: (keys) => findCallers(read, keys),
      ...backend.callers,
      ...(backend.observeCache && { observeCache: backend.observeCache }),
    }),
    transaction: (work) => run(writer, work),
    record,
    locked: (lock, work) =>
      run(recorder, async (trx) => {
        await lock(trx);
        return work(trx);
      }),
    snapshot,
    graphRows,
    isUnavailable,
    canWrite: writes.check,
    async ready() {
      try {
        requirePlace();
        await requireReadable();
        return (await schemaState()).fault === null;
      } catch {
        return false;
      }
    },
    schemaState,
    schemaFault: () => watch.fault,
    ...(placeFault && { placeFault }),
    upgrade,
    ...(upkeep && { upkeep }),
    ...(poolCounts && { poolCounts }),
    ...(connectionRoom && { connectionRoom }),
    close,
  };
}

/** As an alias: Kysely takes no interface. */
type AddedTables = { readonly [Table in keyof ActivityTables]: ActivityTables[Table] };

/** The activity in tables of the database itself. */
function activityWithin(read: Kysely<Tables>, record: Database["record"]): ActivityDatabase {
  const reader = read.$omitTables<keyof Tables>().withTables<AddedTables>();
  return {
    read: (work) => work(reader),
    // Every transaction that `record` hands out is one that can read.
    write: (work) =>
      record((trx) => work((trx as WriteTransaction).$omitTables<keyof Tables>().withTables<AddedTables>())),
    // A server does this by itself.
    erase: async () => {},
  };
}
