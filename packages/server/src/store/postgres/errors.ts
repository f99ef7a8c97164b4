import pg from "pg";
import { describeAddress, type PostgresAddress } from "../../model/postgres-address.ts";
import { codeOf, reasonOf } from "../../model/thrown.ts";
import { DatabaseError } from "../port.ts";

/** The database could not be reached, or the connection to it was lost. */
export class ConnectionError extends DatabaseError {
  override readonly name = "ConnectionError";

  constructor(message: string, options: { cause?: unknown } = {}) {
    super("unreachable", message, options);
  }
}

/** Errors of node-postgres itself, which have no code. */
const driverErrors =
  /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout exceeded)/;

/** Tells what the network or the driver did apart from errors of the program. */
export function explained(error: unknown, address: PostgresAddress): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return error;
  return "errno" in error || driverErrors.test(error.message) ? unreachable(error, address) : error;
}

/** Why there is no connection, whatever the reason, and what to do about it. */
export function unreachable(cause: unknown, address: PostgresAddress): ConnectionError {
  const code = codeOf(cause);
  // The error of a host with several addresses has only a code.
  const reason = reasonOf(cause) || code;
  const [, remedy] = remedies.find(([pattern]) => pattern.test(`${code} ${reason}`)) ?? [];
  return new ConnectionError(
    `The database ${describeAddress(address)} cannot be reached: ${reason}. ${remedy ?? "Check its URL."}`,
    { cause },
  );
}

/** Advice for operators, by the codes and messages of Node, node-postgres and PostgreSQL. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)/, "Check the host in its URL."],
  [
    /^(ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|57P03)|^ (timeout|Connection terminated)/,
    "Check that the server runs, and the host and port in its URL.",
  ],
  [/^28P01|client password must be/, "Check the user and password: in its URL, in PGPASSWORD or in .pgpass."],
  [/^28000 .*no encryption/, "The server asks for TLS: add sslmode=verify-full to its URL."],
  [/^28000/, "Check the user in its URL, and the server's pg_hba.conf."],
  [/^3D000/, "Create it, or correct its name in the URL."],
  [/^53300/, "Raise the server's max_connections, or lower connection_limit in the URL."],
  [/SSL|CERT|certificate/, "Check sslmode and sslrootcert in its URL, and the server's certificate."],
  [/standby/, "Let its URL lead to the primary."],
];

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? "") : "");

/** Another transaction was in the way: this one can be run again. */
export const isConflict = (error: unknown) => /^(40001|40P01)$/.test(sqlState(error));

/** A lock was not free in the time that a transaction waits for it. */
export const isLocked = (error: unknown) => sqlState(error) === "55P03";

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

/** The person whose rows a statement writes is being moved to another bucket (migrations/0027-moves.ts). */
const isMoving = (error: unknown) => sqlState(error) === "CL001";

/** The database cannot be used now, for whatever reason outside the program. */
export const isUnavailable = (error: unknown) =>
  isConnectionLost(error) ||
  isConflict(error) ||
  isMoving(error) ||
  /^(28|3D|53|55P03|57|58|XX)/.test(sqlState(error));

/** Why a database that was reached cannot be opened, and what to do. */
export function openFault(cause: unknown, address: PostgresAddress): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const name = describeAddress(address);
  if (isUnavailable(cause))
    return new DatabaseError("unreachable", `The database ${name} cannot be used now: ${reasonOf(cause)}.`, {
      cause,
    });
  const problem = `The database ${name} cannot be opened: ${reasonOf(cause)}`;
  const isForbidden = sqlState(cause) === "42501";
  const remedy = `. Let Clew's user own it: \`ALTER DATABASE ${address.database} OWNER TO ${address.user ?? "…"}\`.`;
  return new DatabaseError("unusable", isForbidden ? problem + remedy : problem, { cause });
}
