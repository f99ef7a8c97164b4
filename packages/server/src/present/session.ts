import type { AuditLine as AuditLineMessage, Me, Session } from "@clew/contract";
import type { AuditLine } from "../model/audit.ts";
import type { LiveSession, User } from "../model/caller.ts";
import type { Connection } from "../model/connection.ts";
import { formatOptionalTimestamp, formatTimestamp, presentLink } from "./values.ts";
import { presentConnection } from "./workspace.ts";

/** A session for its user, with whether it is the current one (SESS-8). */
export function presentSession(session: LiveSession, currentId: string): Session {
  return {
    id: session.id,
    created_at: formatTimestamp(session.createdAt),
    last_refreshed_at: formatOptionalTimestamp(session.lastRefreshedAt),
    expires_at: formatTimestamp(session.refreshExpiresAt),
    address: session.address,
    user_agent: session.userAgent,
    refreshed_from: session.refreshedFrom && {
      at: formatTimestamp(session.refreshedFrom.at),
      address: session.refreshedFrom.address,
      user_agent: session.refreshedFrom.userAgent,
    },
    current: session.id === currentId,
  };
}

/** A user for themselves, with their connected workspaces (SESS-6). */
export function presentMe(user: User, connections: readonly Connection[]): Me {
  return {
    id: user.id,
    provider: user.provider,
    name: user.name,
    email: user.email,
    avatar_url: presentLink(user.avatarUrl),
    created_at: formatTimestamp(user.createdAt),
    last_sign_in_at: formatTimestamp(user.lastSignInAt),
    workspaces: connections.map(presentConnection),
  };
}

/** A line of an audit trail for its user (TOK-12). */
export function presentAuditLine(line: AuditLine): AuditLineMessage {
  return {
    id: line.id,
    at: formatTimestamp(line.at),
    event: line.event,
    session_id: line.sessionId,
    token: line.token,
    successor_id: line.successorId,
    workspace_id: line.workspaceId,
    reason: line.reason,
    address: line.address,
    user_agent: line.userAgent,
  };
}
