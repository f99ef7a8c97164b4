import { type AllowList, usableConnections } from "../../model/allow-list.ts";
import type { Connection } from "../../model/connection.ts";
import type { CallerKey, CallerRecord, ReadHandle } from "../port.ts";
import { precompiledList } from "../precompiled.ts";
import { connectionsOf, connectionsOfUsers } from "./connections.ts";
import { serviceTokenOf } from "./service-tokens.ts";

const tokensByHash = precompiledList((db: ReadHandle, hashes: readonly Uint8Array[]) =>
  db
    .selectFrom("service_tokens")
    .innerJoin("users", "users.id", "service_tokens.user_id")
    .selectAll("service_tokens")
    .select(["users.provider", "users.email"])
    .where("service_tokens.hash", "in", hashes),
);

const sessionsById = precompiledList((db: ReadHandle, ids: readonly string[]) =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "sessions.id",
      "sessions.user_id",
      "sessions.refresh_expires_at",
      "users.provider",
      "users.email",
    ])
    .where("sessions.id", "in", ids)
    .where("sessions.ended_at", "is", null),
);

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
  const [tokens, sessions] = await Promise.all([tokensByHash(db, hashes), sessionsById(db, sessionIds)]);
  const userIds = [...new Set([...tokens, ...sessions].map(({ user_id }) => user_id))];
  // Read after the credentials: a commit in between shows later connections, never ones that were removed before.
  const connections = Map.groupBy(await connectionsOfUsers(db, userIds), ({ userId }) => userId);
  const ownerOf = ({ user_id: id, provider, email }: (typeof sessions | typeof tokens)[number]) => {
    return { id, provider, email, connections: connections.get(id) ?? [] };
  };
  const found = new Map<string, CallerRecord>();
  for (const row of tokens) {
    const id = idOfCaller({ kind: "service-token", hash: Buffer.from(row.hash) });
    found.set(id, { kind: "service-token", owner: ownerOf(row), token: serviceTokenOf(row) });
  }
  for (const row of sessions) {
    const id = idOfCaller({ kind: "session", sessionId: row.id });
    found.set(id, { kind: "session", owner: ownerOf(row), refreshExpiresAt: row.refresh_expires_at });
  }
  return found;
}

/** The connections that a user may use, oldest first; null if the user may not use Clew (SIGN-10). */
export async function allowedConnections(
  db: ReadHandle,
  allowed: AllowList,
  userId: string,
): Promise<readonly Connection[] | null> {
  const connections = await connectionsOf(db, userId);
  if (allowed.anyone) return connections;
  const user = await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  return usableConnections(allowed, { email: user?.email ?? null, connections });
}
