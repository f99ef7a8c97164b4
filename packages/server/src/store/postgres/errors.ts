import pg from "pg";

/** The database could not be reached, or the connection to it was lost. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** Errors of node-postgres itself, which have no code. */
const driverErrors =
  /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout exceeded)/;

/** Tells what the network or the driver did apart from errors of the program. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return error;
  return "errno" in error || driverErrors.test(error.message) ? unreachable(error) : error;
}

/** Why there is no connection, whatever the reason. */
export function unreachable(cause: unknown): ConnectionError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(`PostgreSQL cannot be reached: ${reason}`, { cause });
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? "") : "");

/** Another transaction was in the way: this one can be run again. */
export const isConflict = (error: unknown) => /^(40001|40P01)$/.test(sqlState(error));

/** The database, or this table, does not exist. */
export const isMissing = (error: unknown) =>
  /^(3D000|42P01)$/.test(sqlState(error instanceof ConnectionError ? error.cause : error));

/**
 * The connection is no longer of use: lost, ended by the server (25P03 and 25P04 for a transaction that took too long),
 * to a server that is a standby (25006, or 0A000 when a transaction begins), or with statements that were prepared for an
 * earlier schema (0A000).
 */
export const isConnectionLost = (error: unknown) =>
  error instanceof ConnectionError || /^(08|57P|25006|25P03|25P04|0A000)/.test(sqlState(error));

/** The database cannot be used now, for whatever reason outside the program. */
export const isUnavailable = (error: unknown) =>
  isConnectionLost(error) || isConflict(error) || /^(28|3D|53|55P03|57|58|XX)/.test(sqlState(error));
