import { ApiError } from "../model/api-error.ts";
import type { Actor } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database, WriteTransaction } from "../store/port.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { endSession, findLiveSession, findSession, liveSessions } from "../store/queries/sessions.ts";
import { tokenRefused } from "./credentials.ts";

/**
 * The database as one session may write to it. The session may have ended after its request began, so each transaction
 * checks it again. Throws `ApiError` `token_revoked` if it has ended; then nothing is written.
 */
export function withLiveSession(
  database: Database,
  { userId, sessionId }: Pick<Actor, "userId" | "sessionId">,
  clock: Clock,
): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (trx) => {
        const session = await findLiveSession(trx, sessionId, clock());
        if (session?.userId !== userId) throw tokenRefused("token_revoked");
        return work(trx);
      }),
  };
}

interface SessionServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** Ends one of the user's sessions, if it has not ended yet. Throws `ApiError` `not_found` (SESS-8). */
export async function endOwnSession(
  { database, clock }: SessionServices,
  actor: Actor,
  sessionId: string,
): Promise<void> {
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const session = await findSession(trx, sessionId);
    if (session?.userId !== actor.userId)
      throw new ApiError("not_found", "You have no session with this id.");
    await endSessions(trx, actor, [sessionId], clock());
  });
}

/** Ends all of the user's sessions except the current one (SESS-8). */
export async function endOtherSessions({ database, clock }: SessionServices, actor: Actor): Promise<void> {
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const now = clock();
    const ids = (await liveSessions(trx, actor.userId, now)).map(({ id }) => id);
    const others = ids.filter((id) => id !== actor.sessionId);
    await endSessions(trx, actor, others, now);
  });
}

/** Ends sessions of the user permanently, and records each that had not ended yet. */
export async function endSessions(
  trx: WriteTransaction,
  { userId, sessionId: own, ...origin }: Actor,
  sessionIds: readonly string[],
  at: number,
): Promise<void> {
  for (const sessionId of sessionIds) {
    if (!(await endSession(trx, sessionId, at))) continue;
    const reason = sessionId === own ? {} : { reason: "ended_elsewhere" };
    await insertAudit(trx, [{ userId, at, event: "signed_out", sessionId, origin, ...reason }]);
  }
}

/** Ends all sessions of a user, or of all users if `userId` is null, for the operator. Returns how many ended. */
export async function endSessionsOf(
  trx: WriteTransaction,
  userId: string | null,
  at: number,
): Promise<number> {
  const sessions = await liveSessions(trx, userId, at);
  for (const { id } of sessions) await endSession(trx, id, at);
  const event = { at, event: "signed_out", reason: "operator" } as const;
  await insertAudit(
    trx,
    sessions.map((session) => ({ ...event, userId: session.userId, sessionId: session.id })),
  );
  return sessions.length;
}
