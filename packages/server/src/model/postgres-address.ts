import { isLoopback } from "./loopback.ts";

/** The address of a PostgreSQL database, and the way to talk to it. The driver supplies null members: PGUSER, PGPASSWORD … */
export interface PostgresAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string;
  /** The proof of the server's identity; null for a connection in plain text. */
  readonly tls: { readonly rootCertificate: string | null } | null;
  /** Whether statements are prepared once for each connection; a pooler may hand each transaction another one. */
  readonly prepares: boolean;
  /** Connections of a process at most, those of its threads aside. */
  readonly maxConnections: number;
}

const defaultMaxConnections = 20;

/** The parameters that Clew knows. Their names are those of libpq and Prisma. */
const parameters = ["host", "sslmode", "sslrootcert", "pgbouncer", "connection_limit"];

/**
 * Parses `postgres://user:password@host:port/database?…`. Off this machine it takes `sslmode=verify-full`, or an explicit
 * `sslmode=disable`. Throws an `Error` that describes valid values and repeats nothing, since the URL holds a password.
 */
export function parsePostgresUrl(text: string): PostgresAddress {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  const database = url?.pathname.slice(1) ?? "";
  if (url === null || database === "" || database.includes("/"))
    throw new Error("must be postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  const given = url.searchParams;
  for (const name of given.keys())
    if (!parameters.includes(name)) throw new Error(`takes the parameters ${parameters.join(", ")} alone`);
  const host = given.get("host") ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, "$1"));
  if (host === "" || host.includes(",")) throw new Error("must name one host");
  return {
    host,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username) || null,
    password: decodeURIComponent(url.password) || null,
    database: decodeURIComponent(database),
    tls: tlsOf(host, given),
    prepares: !flagOf(given, "pgbouncer"),
    maxConnections: limitOf(given.get("connection_limit")),
  };
}

/** Connections of a thread that syncs at most: four writes at a time, the poll, and a read. */
const syncConnections = 6;

/** Divides the connections of a process between the thread that answers requests and the one that syncs. */
export function shareConnections({ maxConnections }: Pick<PostgresAddress, "maxConnections">): {
  readonly answering: number;
  readonly syncing: number;
} {
  const syncing = Math.min(syncConnections, Math.max(1, Math.floor(maxConnections / 3)));
  return { answering: maxConnections - syncing, syncing };
}

/** Names a database for logs and errors, without a password. */
export function describeAddress({ host, port, database }: PostgresAddress): string {
  return host.startsWith("/") ? `${database} in ${host}` : `${database} at ${host}:${port}`;
}

function tlsOf(host: string, given: URLSearchParams): PostgresAddress["tls"] {
  const mode = given.get("sslmode");
  if (mode === "verify-full") return { rootCertificate: given.get("sslrootcert") };
  if (given.has("sslrootcert")) throw new Error("takes sslrootcert only with sslmode=verify-full");
  if (mode !== null && mode !== "disable")
    throw new Error(
      "takes sslmode=verify-full or sslmode=disable alone: other modes do not check who answers",
    );
  if (mode === null && !host.startsWith("/") && !isLoopback(host))
    throw new Error("must say sslmode=verify-full, or sslmode=disable, unless the host is this machine");
  return null;
}

function flagOf(given: URLSearchParams, name: string): boolean {
  const value = given.get(name) ?? "false";
  if (value !== "true" && value !== "false") throw new Error(`takes ${name}=true or ${name}=false`);
  return value === "true";
}

function limitOf(text: string | null): number {
  if (text === null) return defaultMaxConnections;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 2 || limit > 1000)
    throw new Error("takes a connection_limit from 2 to 1000");
  return limit;
}
