import type { PresentedToken } from "@clew/contract";
import type { ServiceTokenCaller } from "../model/caller.ts";
import { presentOptionalTimestamp } from "./timestamp.ts";

/** A service token as its bearer sees it (GRAPH-14). */
export function presentPresentedToken(token: ServiceTokenCaller): PresentedToken {
  return {
    name: token.name,
    prefix: token.prefix,
    scopes: [...token.scopes],
    workspace_ids: [...token.workspaceIds],
    expires_at: presentOptionalTimestamp(token.expiresAt),
  };
}
