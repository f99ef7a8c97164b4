import { ApiError } from "../model/api-error.ts";
import type { Actor } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { findSession, listLiveSessions } from "../store/queries/sessions.ts";
import { endSessions } from "./end-sessions.ts";
import { withLiveSession } from "./live-session.ts";

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
}

/** Ends one of the author's sessions; again is fine. Refuses with `not_found` what is none of theirs (SESS-8). */
export async function endOwnSession(
  { database, clock }: Parts,
  actor: Actor,
  sessionId: string,
): Promise<void> {
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const session = await findSession(trx, sessionId);
    if (session?.userId !== actor.userId) throw new ApiError("not_found", "You have no session of this id.");
    await endSessions(trx, actor, [sessionId], clock());
  });
}

/** Ends all of the author's sessions but the one in which they ask (SESS-8). */
export async function endOtherSessions({ database, clock }: Parts, actor: Actor): Promise<void> {
  await withLiveSession(database, actor, clock).transaction(async (trx) => {
    const now = clock();
    const ids = (await listLiveSessions(trx, actor.userId, { now })).map(({ id }) => id);
    await endSessions(
      trx,
      actor,
      ids.filter((id) => id !== actor.sessionId),
      now,
    );
  });
}
