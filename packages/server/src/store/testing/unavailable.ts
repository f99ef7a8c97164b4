import BetterSqlite3 from "better-sqlite3";
import { ConnectionError } from "../postgres/errors.ts";
import { onPostgres } from "./location.ts";

/** What a database throws that cannot be used for now. */
export function unavailableError(): Error {
  return onPostgres
    ? new ConnectionError("PostgreSQL cannot be reached")
    : new BetterSqlite3.SqliteError("database or disk is full", "SQLITE_FULL");
}
