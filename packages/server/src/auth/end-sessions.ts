import type { Actor } from "../model/caller.ts";
import type { WriteTransaction } from "../store/port.ts";
import { insertAudit } from "../store/queries/audit.ts";
import { endSession, liveSessions } from "../store/queries/sessions.ts";

/** Ends sessions of the author's for good, each that has not ended yet with its line in the audit trail. */
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

/** Ends all sessions of a user, or of everybody where none is named, for whoever runs Clew; returns how many. */
export async function endSessionsOf(
  trx: WriteTransaction,
  userId: string | null,
  at: number,
): Promise<number> {
  const sessions = await liveSessions(trx, userId, at);
  for (const session of sessions) {
    await endSession(trx, session.id, at);
    const line = { userId: session.userId, at, event: "signed_out", sessionId: session.id } as const;
    await insertAudit(trx, [{ ...line, reason: "operator" }]);
  }
  return sessions.length;
}
