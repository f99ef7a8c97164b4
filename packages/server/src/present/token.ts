import type { CreatedToken, PresentedToken, ServiceToken as ServiceTokenMessage } from "@clew/contract";
import type { ServiceTokenCaller } from "../model/caller.ts";
import { type ServiceToken, statusOf } from "../model/service-token.ts";
import { formatOptionalTimestamp, formatTimestamp } from "./values.ts";

/** A service token for its owner at a time in milliseconds since the Unix epoch (TOK-7). */
export function presentServiceToken(token: ServiceToken, now: number): ServiceTokenMessage {
  const status = statusOf(token, now);
  return {
    ...presentFacts(token),
    is_active: status === "active",
    status,
    revoked_at: formatOptionalTimestamp(token.revokedAt),
    last_used_at: formatOptionalTimestamp(token.lastUsedAt),
  };
}

/** The response to a creation: the only one that contains the raw token (TOK-1, TOK-2). */
export function presentCreatedToken(token: ServiceToken, raw: string): CreatedToken {
  return { ...presentFacts(token), is_active: true, token: raw };
}

function presentFacts(token: ServiceToken) {
  return { id: token.id, ...presentPresentedToken(token), created_at: formatTimestamp(token.createdAt) };
}

/** A service token for its bearer (GRAPH-14). */
export function presentPresentedToken(token: ServiceToken | ServiceTokenCaller): PresentedToken {
  return {
    name: token.name,
    prefix: token.prefix,
    scopes: [...token.scopes],
    workspace_ids: [...token.workspaceIds],
    expires_at: formatOptionalTimestamp(token.expiresAt),
  };
}
