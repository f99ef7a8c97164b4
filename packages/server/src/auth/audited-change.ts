import type { AuditEvent } from "@clew/contract";
import type { AuditedEvent } from "../model/audit.ts";
import type { Actor } from "../model/caller.ts";
import type { ServiceToken } from "../model/service-token.ts";

/** What somebody did with a service token of theirs, for the audit trail. */
export function auditedChange(
  { userId, sessionId, ...origin }: Actor,
  event: AuditEvent,
  token: ServiceToken,
  at: number,
): AuditedEvent {
  return { userId, at, event, sessionId, token, origin };
}
