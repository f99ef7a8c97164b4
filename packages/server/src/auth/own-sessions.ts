import type { Author } from "../model/author.ts";
import type { Clock } from "../model/clock.ts";
import { Refusal } from "../model/refusal.ts";
import type { Database } from "../store/database.ts";
import { findSession, listLiveSessions } from "../store/sessions.ts";
import { endSessions } from "./end-sessions.ts";
import { withLiveSession } from "./live-session.ts";

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
}

/** Ends one of the author's sessions; again is fine. Refuses with `not_found` what is none of theirs (SESS-8). */
export async function endOwnSession(
  { database, clock }: Parts,
  author: Author,
  sessionId: string,
): Promise<void> {
  await withLiveSession(database, author, clock).transaction(async (trx) => {
    const session = await findSession(trx, sessionId);
    if (session?.userId !== author.userId) throw new Refusal("not_found", "You have no session of this id.");
    await endSessions(trx, author, [sessionId], clock());
  });
}

/** Ends all of the author's sessions but the one in which they ask (SESS-8). */
export async function endOtherSessions({ database, clock }: Parts, author: Author): Promise<void> {
  await withLiveSession(database, author, clock).transaction(async (trx) => {
    const now = clock();
    const ids = (await listLiveSessions(trx, author.userId, { now })).map(({ id }) => id);
    await endSessions(
      trx,
      author,
      ids.filter((id) => id !== author.sessionId),
      now,
    );
  });
}
