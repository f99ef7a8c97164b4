import type { Database } from "../port.ts";

/** A database that runs each transaction which writes, of whatever kind, inside `around`. */
export function wrapWrites(database: Database, around: <T>(write: () => Promise<T>) => Promise<T>): Database {
  return {
    ...database,
    transaction: (work) => around(() => database.transaction(work)),
    record: (work) => around(() => database.record(work)),
    locked: (lock, work) => around(() => database.locked(lock, work)),
  };
}
