import {
  type Dialect,
  type DialectAdapter,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { type DriverOptions, SqliteDriver } from "./driver.ts";

/** Kysely's SQLite dialect on Clew's own driver. */
export function sqliteDialect(options: DriverOptions): Dialect {
  return {
    createDriver: () => new SqliteDriver(options),
    createAdapter: (): DialectAdapter => new ConcurrentSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** The driver does its own waiting: Kysely must not put one lock around all of it. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
