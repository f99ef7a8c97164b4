import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import type { WriteTransaction } from "../port.ts";
import { ConnectionError } from "../postgres/errors.ts";
import { onPostgres } from "./location.ts";

/** An error as a database throws it that cannot be used for now. */
export function unavailableError(): Error {
  return onPostgres
    ? new ConnectionError("PostgreSQL cannot be reached")
    : new BetterSqlite3.SqliteError("database or disk is full", "SQLITE_FULL");
}

/** Makes PostgreSQL end a transaction after it has waited `milliseconds` for the next statement. */
export async function limitIdleTime(trx: WriteTransaction, milliseconds: number): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(milliseconds)}`.execute(trx);
}
