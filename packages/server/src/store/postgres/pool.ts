import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import type { PostgresAddress } from "../../model/postgres-address.ts";
import { DatabaseError, type PoolCounts } from "../port.ts";
import { ConnectionError, explained, isConnectionLost, unreachable } from "./errors.ts";
import { decodeText, encodeText } from "./text.ts";

/** The name of Clew's connections in the lists of the server. */
export const applicationName = "clew";

/** Milliseconds to wait for a connection of a full pool, or for a new one. */
const connectTimeoutMs = 3_000;

/** Requests that may wait for a connection, for each connection; further ones are refused at once. */
const maxWaitingEach = 20;

/** Statements that share a connection at most: each waits for those before it. */
const maxShared = 32;

/** Milliseconds after which a statement without an answer counts as lost, and its connection with it. */
const answerTimeoutMs = 30_000;

/** Statements with a name, over all connections; each connection prepares those that it runs. */
const maxNamed = 300;

/** Longer statements write batches: their texts vary, and running them costs far more than parsing them. */
const maxNamedLength = 6_000;

interface Result<Row> {
  readonly rows: Row[];
  /** Rows that the statement read or changed. */
  readonly count: number;
}

type Query = <Row>(sql: string, parameters: readonly unknown[]) => Promise<Result<Row>>;

/** A connection that one caller has for itself. Statements are sent at once, without waiting for those before them. */
export interface PooledConnection {
  readonly query: Query;
  /** Runs statements without parameters in one round trip. Returns the rows of the last one. */
  run(sql: string): Promise<readonly unknown[]>;
  /** Sends what is asked before the end of this turn of the event loop together. */
  sendTogether(): void;
  /** Gives the connection back; it is closed if it was lost, or is not `usable` any more. */
  release(usable?: boolean): void;
}

/** A bounded pool of connections to PostgreSQL. It opens them when they are needed, again after they were lost. */
export interface Pool {
  /**
   * Runs a statement outside transactions. Those of one turn of the event loop share a connection, on which they are sent
   * together and run one after the other. Rejects as `acquire` does.
   */
  readonly query: Query;
  /** Rejects with a `ConnectionError` where too many wait already, or none became free in time. */
  acquire(): Promise<PooledConnection>;
  counts(): PoolCounts;
  /** Waits for the connections that are in use, then closes all. */
  close(): Promise<void>;
}

interface PoolOptions {
  readonly maxConnections?: number;
  /** Milliseconds; 0 for statements that may take any time, such as migrations. */
  readonly answerTimeout?: number;
  /** Called with the milliseconds that a caller waited for a connection, with or without getting one. */
  readonly onWait?: (ms: number) => void;
}

export function openPool(address: PostgresAddress, options: PoolOptions = {}): Pool {
  const { maxConnections = address.maxConnections, answerTimeout = answerTimeoutMs, onWait } = options;
  const pool = new pg.Pool({
    ...clientOptions(address),
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeout,
    pipeline: true,
    verify: (client, done) => void requirePrimary(client).then(() => done(), done),
  });
  // A connection that breaks while it is idle leaves the pool by itself. Without a listener the process would end.
  const ignore = () => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  const nameOf = createNames(address.prepares);
  let closing: Promise<void> | null = null;
  const acquire: Pool["acquire"] = async () => {
    if (pool.waitingCount >= maxWaitingEach * maxConnections)
      throw new ConnectionError("All connections to PostgreSQL are in use");
    const since = performance.now();
    try {
      return connectionOf(await pool.connect(), address, nameOf);
    } catch (error) {
      throw unreachable(error, address);
    } finally {
      onWait?.(performance.now() - since);
    }
  };
  return {
    query: shareConnections(acquire),
    acquire,
    counts: () => {
      const { totalCount, idleCount, waitingCount } = pool;
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    close: () => (closing ??= pool.end()),
  };
}

/** Answers `Pool.query`. A connection takes statements until the first of them are sent; the next turn has another. */
function shareConnections(acquire: Pool["acquire"]): Query {
  interface Shared {
    readonly connection: Promise<PooledConnection>;
    /** Statements that have no answer yet. */
    users: number;
  }
  let open: Shared | null = null;

  function share(): Shared {
    const close = () => {
      if (open === shared) open = null;
    };
    const connection = acquire().then(
      (acquired) => {
        acquired.sendTogether();
        process.nextTick(close);
        return acquired;
      },
      (error) => {
        close();
        throw error;
      },
    );
    const shared: Shared = { connection, users: 0 };
    return shared;
  }

  return async (sql, parameters) => {
    if (open === null || open.users >= maxShared) open = share();
    const shared = open;
    shared.users += 1;
    const connection = await shared.connection;
    try {
      return await connection.query(sql, parameters);
    } finally {
      shared.users -= 1;
      if (shared.users === 0) connection.release();
    }
  };
}

/** Settings of each connection. */
function clientOptions(address: PostgresAddress): pg.ClientConfig {
  const { host, port, user, password, database, tls } = address;
  return {
    host,
    port,
    ...(user === null ? {} : { user }),
    ...(password === null ? {} : { password }),
    database,
    ssl: tls !== null && {
      ...(tls.rootCertificate === null ? {} : { ca: readCertificate(tls.rootCertificate) }),
    },
    application_name: applicationName,
    // Transactions that write say so when they begin. A pooler takes no options, so there only types keep reads from writing.
    ...(address.prepares && { options: "-c default_transaction_read_only=on" }),
    keepAlive: true,
    types,
  };
}

/** Rejects a standby: what it shows may lag behind, and a token that was revoked would be let in. */
async function requirePrimary(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ in_hot_standby: string }>("show in_hot_standby");
  if (rows[0]?.in_hot_standby === "on") throw new Error("the server is a standby");
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new DatabaseError("unusable", `The sslrootcert of DATABASE_URL, ${path}, cannot be read`, {
      cause,
    });
  }
}

function connectionOf(
  client: pg.PoolClient,
  address: PostgresAddress,
  nameOf: (sql: string) => string | undefined,
): PooledConnection {
  let isLost = false;
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (caught) {
      const error = explained(caught, address);
      if (isConnectionLost(error)) isLost = true;
      throw error;
    }
  };
  return {
    async query<Row>(text: string, parameters: readonly unknown[]) {
      const name = nameOf(text);
      const values = parameters.map(encoded);
      const { rows, rowCount } = await answered(client.query({ ...(name && { name }), text, values }));
      // The statement determines the type of its rows.
      return { rows: rows as Row[], count: rowCount ?? 0 };
    },
    async run(text) {
      // The driver's types do not know that several statements have several results.
      const results: unknown = await answered(client.query(text));
      const last = Array.isArray(results) ? results.at(-1) : results;
      return (last as pg.QueryResult).rows;
    },
    sendTogether() {
      const { stream } = client.connection;
      stream.cork();
      process.nextTick(() => stream.uncork());
    },
    release: (usable = true) => client.release(isLost || !usable),
  };
}

/** Names statements, so that a connection prepares each of them once. */
function createNames(prepares: boolean): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return (sql) => {
    if (!prepares || sql.length > maxNamedLength) return undefined;
    const known = names.get(sql);
    if (known !== undefined || names.size >= maxNamed) return known;
    const name = createHash("sha256").update(sql).digest("base64url").slice(0, 22);
    names.set(sql, name);
    return name;
  };
}

function encoded(parameter: unknown): unknown {
  if (typeof parameter === "string") return encodeText(parameter);
  return Array.isArray(parameter) ? parameter.map(encoded) : parameter;
}

/** Oids of https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const parsers = new Map<number, (text: string) => unknown>([
  [20, toSafeInteger], // int8
  [25, decodeText], // text
  [1700, toSafeInteger], // numeric: the sum of int8
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format === "binary" ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`Not a safe integer: ${text}`);
  return number;
}
