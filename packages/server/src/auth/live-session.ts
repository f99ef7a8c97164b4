import type { Actor } from "../model/caller.ts";
import type { Clock } from "../model/runtime.ts";
import type { Database } from "../store/port.ts";
import { findLiveSession } from "../store/queries/sessions.ts";
import { tokenRefused } from "./credentials.ts";

/**
 * The database as a session may write to it. A request may have begun before its session ended, so each transaction
 * checks the session again; one that has ended is refused with 401, and nothing is written.
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
