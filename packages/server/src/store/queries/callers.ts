import { type Selectable, sql } from "kysely";
import { type AllowList, usableConnections } from "../../model/allow-list.ts";
import type { Connection } from "../../model/connection.ts";
import type { CallerKey, CallerRecord, ReadHandle } from "../port.ts";
import type { Tables } from "../schema.ts";
import { connectionColumns, connectionOf, connectionsOf } from "./connections.ts";
import { precompiledLists } from "./precompiled.ts";
import { type ServiceTokenRow, serviceTokenColumns, serviceTokenOf } from "./service-tokens.ts";

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

type TokenRow = Selectable<Tables["service_tokens"]>;

/** A credential, its owner, and one of the owner's connections if there are any. The columns of missing ones are null. */
type CallerRow = {
  readonly ownerId: string;
  readonly people: string;
  readonly email: string | null;
  readonly moving: number | null;
  readonly sessionId: string | null;
  readonly refreshExpiresAt: number | null;
} & Nullable<{ [Column in (typeof tokenColumns)[number] as `token_${Column}`]: TokenRow[Column] }> &
  Nullable<ConnectionRow>;

type ConnectionRow = Parameters<typeof connectionOf>[0];

const tokenColumns = ["hash", ...serviceTokenColumns] as const;

const ownerColumns = [
  "users.id as ownerId",
  "users.provider as people",
  "users.email",
  "users.moving",
] as const;

const none = sql<null>`null`;

/** Service tokens, whatever their state. */
const tokens = (db: ReadHandle, hashes: readonly Uint8Array[]) =>
  db
    .selectFrom("service_tokens")
    .innerJoin("users", "users.id", "service_tokens.user_id")
    .leftJoin("connections", "connections.user_id", "service_tokens.user_id")
    .select(ownerColumns)
    .select([none.as("sessionId"), none.as("refreshExpiresAt")])
    .select(tokenColumns.map((column) => `service_tokens.${column} as token_${column}` as const))
    .select(connectionColumns)
    .where("service_tokens.hash", "in", hashes)
    .$castTo<CallerRow>();

/** Sessions that have not been ended. */
const sessions = (db: ReadHandle, ids: readonly string[]) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("connections", "connections.user_id", "sessions.user_id")
    .select(ownerColumns)
    .select(["sessions.id as sessionId", "sessions.refresh_expires_at as refreshExpiresAt"])
    .select(tokenColumns.map((column) => none.as(`token_${column}`)))
    .select(connectionColumns)
    .where("sessions.id", "in", ids)
    .where("sessions.ended_at", "is", null)
    .$castTo<CallerRow>();

const tokenRows = precompiledLists(tokens);
const sessionRows = precompiledLists(sessions);
const mixedRows = precompiledLists((db: ReadHandle, hashes: readonly Uint8Array[], ids: readonly string[]) =>
  tokens(db, hashes).unionAll(sessions(db, ids)),
);

/** One statement, since it is asked on every request: what it reads is of one moment. */
function callerRows(db: ReadHandle, hashes: readonly Uint8Array[], ids: readonly string[]) {
  if (ids.length === 0) return tokenRows(db, hashes);
  return hashes.length === 0 ? sessionRows(db, ids) : mixedRows(db, hashes, ids);
}

/** Identifies a key. */
export function idOfCaller(key: CallerKey): string {
  return key.kind === "session" ? `session ${key.sessionId}` : `token ${key.hash.toString("latin1")}`;
}

/** Reads the callers of these keys, each once, by their ids. Unknown ones are left out. */
export async function findCallers(
  db: ReadHandle,
  keys: readonly CallerKey[],
): Promise<ReadonlyMap<string, CallerRecord>> {
  const hashes = keys.flatMap((key) => (key.kind === "service-token" ? [key.hash] : []));
  const sessionIds = keys.flatMap((key) => (key.kind === "session" ? [key.sessionId] : []));
  const rows = await callerRows(db, hashes, sessionIds);
  const found = new Map<string, CallerRecord>();
  for (const [id, [first, ...others]] of Map.groupBy(rows, idOfRow))
    if (first !== undefined) found.set(id, recordOf(first, [first, ...others].flatMap(connectionsIn)));
  return found;
}

function idOfRow({ sessionId, token_hash }: CallerRow): string {
  if (sessionId !== null) return idOfCaller({ kind: "session", sessionId });
  return idOfCaller({ kind: "service-token", hash: Buffer.from(token_hash ?? []) });
}

function connectionsIn(row: CallerRow): Connection[] {
  if (row.id === null) return [];
  // With its key, a row has all that a connection must have.
  return [connectionOf(row as CallerRow & ConnectionRow)];
}

function recordOf(row: CallerRow, connections: Connection[]): CallerRecord {
  const { ownerId: id, people: provider, email, moving, refreshExpiresAt } = row;
  const oldestFirst = connections.toSorted((one, other) => one.id - other.id);
  const owner = { id, provider, email, isMoving: moving !== null, connections: oldestFirst };
  if (refreshExpiresAt !== null) return { kind: "session", owner, refreshExpiresAt };
  const columns = serviceTokenColumns.map((column) => [column, row[`token_${column}`]]);
  // The row is not a session's, so it has all that a token must have.
  const token = Object.fromEntries(columns) as ServiceTokenRow;
  return { kind: "service-token", owner, token: serviceTokenOf(token) };
}

/** The connections that a user may use, oldest first; null if the user may not use Clew (SIGN-10). */
export async function allowedConnections(
  db: ReadHandle,
  allowed: AllowList,
  userId: string,
): Promise<readonly Connection[] | null> {
  const user = await db
    .selectFrom("users")
    .select(["provider", "email"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (user === undefined) return null;
  return usableConnections(allowed, { ...user, connections: await connectionsOf(db, userId) });
}
