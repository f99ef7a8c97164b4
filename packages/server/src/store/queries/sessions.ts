import { expressionBuilder } from "kysely";
import type { LiveSession } from "../../model/caller.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { countChanged } from "./statements.ts";

/** A session as sign-in opens it. */
type NewSession = Omit<LiveSession, "lastRefreshedAt"> & { readonly userId: string };

/** How long an access token is valid at most (SESS-1). */
export const accessLifetimeMs = 4 * 3_600_000;

/** How long a refresh token, and its session, is valid (SESS-1). */
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

/** A user's live sessions, newest first (SESS-8). */
export async function listLiveSessions(
  db: ReadHandle,
  userId: string,
  { now, after, limit }: SessionQuery,
): Promise<LiveSession[]> {
  let query = db
    .selectFrom("sessions")
    .select([
      "id",
      "user_agent as userAgent",
      "created_at as createdAt",
      "last_refreshed_at as lastRefreshedAt",
      "refresh_expires_at as refreshExpiresAt",
    ])
    .where("user_id", "=", userId)
    .where(isLiveSession(now));
  if (after !== undefined)
    query = query.where((where) =>
      where(where.refTuple("created_at", "id"), "<", where.tuple(after.createdAt, after.id)),
    );
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
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
  return countChanged(trx.deleteFrom("sessions").where("refresh_expires_at", "<=", now - accessLifetimeMs));
}
