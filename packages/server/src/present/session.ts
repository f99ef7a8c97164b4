import type { Session } from "@clew/contract";
import type { LiveSession } from "../model/caller.ts";
import { presentOptionalTimestamp, presentTimestamp } from "./timestamp.ts";

/** A session as its user sees it from the one that is current (SESS-8). */
export function presentSession(session: LiveSession, currentId: string): Session {
  return {
    id: session.id,
    created_at: presentTimestamp(session.createdAt),
    last_refreshed_at: presentOptionalTimestamp(session.lastRefreshedAt),
    expires_at: presentTimestamp(session.refreshExpiresAt),
    user_agent: session.userAgent,
    current: session.id === currentId,
  };
}
