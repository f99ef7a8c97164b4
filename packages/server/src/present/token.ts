import type { CreatedToken, PresentedToken, ServiceToken as ServiceTokenMessage } from "@clew/contract";
import type { ServiceTokenCaller } from "../model/caller.ts";
import { hostOfRedirect, resourceUrl, type ServiceToken, statusOf } from "../model/service-token.ts";
import { formatOptionalTimestamp, formatTimestamp } from "./values.ts";

/** A service token for its owner at a time in milliseconds since the Unix epoch (TOK-7). */
export function presentServiceToken(
  token: ServiceToken,
  { now, publicUrl }: { readonly now: number; readonly publicUrl: URL },
): ServiceTokenMessage {
  const status = statusOf(token, now);
  return {
    ...presentFacts(token, publicUrl),
    is_active: status === "active",
    status,
    revoked_at: formatOptionalTimestamp(token.revokedAt),
    last_used_at: formatOptionalTimestamp(token.lastUsedAt),
  };
}

/** The response to a creation: the only one that contains the raw token (TOK-1, TOK-2). */
export function presentCreatedToken(token: ServiceToken, raw: string, publicUrl: URL): CreatedToken {
  return { ...presentFacts(token, publicUrl), is_active: true, token: raw };
}

function presentFacts(token: ServiceToken, publicUrl: URL) {
  const { id, client } = token;
  return {
    id,
    ...presentPresentedToken(token),
    created_at: formatTimestamp(token.createdAt),
    client: client && {
      name: client.name,
      host: hostOfRedirect(client.redirectUri),
      resource: resourceUrl(publicUrl, client.resource),
    },
    created_by_browser: token.createdByBrowser,
  };
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
