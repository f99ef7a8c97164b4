import type { CreatedToken, ServiceToken as ServiceTokenMessage } from "@clew/contract";
import { type ServiceToken, statusOf } from "../model/service-token.ts";
import { presentOptionalTimestamp, presentTimestamp } from "./timestamp.ts";

/** A service token as its owner sees it at a moment, in milliseconds since the Unix epoch (TOK-7). */
export function presentServiceToken(token: ServiceToken, now: number): ServiceTokenMessage {
  const status = statusOf(token, now);
  return {
    ...presentRecord(token),
    is_active: status === "active",
    status,
    revoked_at: presentOptionalTimestamp(token.revokedAt),
    last_used_at: presentOptionalTimestamp(token.lastUsedAt),
  };
}

/** The answer to a creation: the only one that holds the raw token (TOK-1, TOK-2). */
export function presentCreatedToken(token: ServiceToken, raw: string): CreatedToken {
  return { ...presentRecord(token), is_active: true, token: raw };
}

function presentRecord(token: ServiceToken) {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: [...token.scopes],
    workspace_ids: [...token.workspaceIds],
    created_at: presentTimestamp(token.createdAt),
    expires_at: presentOptionalTimestamp(token.expiresAt),
  };
}
