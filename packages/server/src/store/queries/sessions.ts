import type { AuditEvent } from "@clew/contract";
import { type ExpressionBuilder, expressionBuilder } from "kysely";
import type { LiveSession } from "../../model/caller.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { countChanged } from "./statements.ts";

/** A session as sign-in opens it. */
type NewSession = Pick<LiveSession, "id" | "userAgent" | "createdAt" | "refreshExpiresAt"> & {
  readonly userId: string;
};

/** The time for which an access token is valid at most (SESS-1). */
export const accessLifetimeMs = 4 * 3_600_000;

/** The time for which a refresh token and its session are valid (SESS-1). */
export const refreshLifetimeMs = 7 * 24 * 3_600_000;

/** Opens a session. */
export async function openSession(trx: WriteTransaction, session: NewSession): Promise<void> {
  await trx
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      refresh_expires_at: session.refreshExpiresAt,
    })
    .execute();
}

/** A condition: the session has neither ended nor expired. */
export function isLiveSession(now: number) {
  const where = expressionBuilder<Tables, "sessions">();
  return where.and([where("refresh_expires_at", ">", now), where("ended_at", "is", null)]);
}

/** A session in any state. Times are milliseconds since the Unix epoch. */
interface StoredSession {
  readonly userId: string;
  readonly createdAt: number;
  readonly refreshExpiresAt: number;
  readonly endedAt: number | null;
}

/** The session, even if it has ended or expired; null if it is missing. */
export async function findSession(db: ReadHandle, sessionId: string): Promise<StoredSession | null> {
  const session = await db
    .selectFrom("sessions")
    .select([
      "user_id as userId",
      "created_at as createdAt",
      "refresh_expires_at as refreshExpiresAt",
      "ended_at as endedAt",
    ])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return session ?? null;
}

/** The session, unless it has ended or expired. */
export async function findLiveSession(
  db: ReadHandle,
  sessionId: string,
  now: number,
): Promise<StoredSession | null> {
  const session = await findSession(db, sessionId);
  return session?.endedAt === null && session.refreshExpiresAt > now ? session : null;
}

/** Records that the session's refresh token was used. */
export async function refreshSession(trx: WriteTransaction, sessionId: string, now: number): Promise<void> {
  await trx.updateTable("sessions").set({ last_refreshed_at: now }).where("id", "=", sessionId).execute();
}

/** Which of a user's sessions to list. */
interface SessionQuery {
  readonly now: number;
  /** Only sessions that come after this one. */
  readonly after?: Pick<LiveSession, "createdAt" | "id"> | undefined;
  readonly limit: number;
}

/**
 * A user's live sessions, newest first (SESS-8). The audit trail has from where they were used: it records a sign-in, and each
 * refresh from an address or user agent that is new to the session.
 */
export async function listLiveSessions(
  db: ReadHandle,
  userId: string,
  { now, after, limit }: SessionQuery,
): Promise<LiveSession[]> {
  let query = db
    .selectFrom("sessions")
    .leftJoin("audit as opening", (join) =>
      join.on("opening.id", "=", (where) => latestEvent(where, "signed_in")),
    )
    .leftJoin("audit as refresh", (join) =>
      join.on("refresh.id", "=", (where) => latestEvent(where, "session_refreshed")),
    )
    .select([
      "sessions.id",
      "sessions.user_agent as userAgent",
      "sessions.created_at as createdAt",
      "last_refreshed_at as lastRefreshedAt",
      "refresh_expires_at as refreshExpiresAt",
      "opening.address",
      "refresh.at as refreshedAt",
      "refresh.address as refreshAddress",
      "refresh.user_agent as refreshUserAgent",
    ])
    .where("sessions.user_id", "=", userId)
    .where(isLiveSession(now));
  if (after !== undefined)
    query = query.where((where) =>
      where(
        where.refTuple("sessions.created_at", "sessions.id"),
        "<",
        where.tuple(after.createdAt, after.id),
      ),
    );
  const rows = await query
    .orderBy("sessions.created_at", "desc")
    .orderBy("sessions.id", "desc")
    .limit(limit)
    .execute();
  return rows.map(
    ({ refreshedAt: at, refreshAddress: address, refreshUserAgent: userAgent, ...session }) => ({
      ...session,
      refreshedFrom: at === null ? null : { at, address, userAgent },
    }),
  );
}

/** The id of the latest event of this kind of a session. */
function latestEvent(where: ExpressionBuilder<Tables, "sessions">, event: AuditEvent) {
  return where
    .selectFrom("audit")
    .select(({ fn }) => fn.max("audit.id").as("id"))
    .whereRef("audit.session_id", "=", "sessions.id")
    .where("audit.event", "=", event);
}

/** Live sessions of a user, or of all users if null. */
export async function liveSessions(
  db: ReadHandle,
  userId: string | null,
  now: number,
): Promise<{ id: string; userId: string }[]> {
  let query = db.selectFrom("sessions").select(["id", "user_id as userId"]).where(isLiveSession(now));
  if (userId !== null) query = query.where("user_id", "=", userId);
  return query.orderBy("id").execute();
}

/** Ends the session for good (SESS-4); false if it had ended before, which keeps its time. */
export async function endSession(trx: WriteTransaction, sessionId: string, now: number): Promise<boolean> {
  const ended = trx
    .updateTable("sessions")
    .set({ ended_at: now })
    .where("id", "=", sessionId)
    .where("ended_at", "is", null);
  return (await countChanged(ended)) === 1;
}

/** Deletes sessions whose tokens have all expired (SESS-8); returns how many. */
export function purgeSessions(trx: WriteTransaction, now: number): Promise<number> {
  return countChanged(
    trx
      .deleteFrom("sessions")
      .where("refresh_expires_at", "<=", now - accessLifetimeMs)
      .where(isSettled("user_id")),
  );
}
