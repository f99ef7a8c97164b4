import type { AuditEvent } from "@clew/contract";
import type { AuditedEvent } from "../model/audit.ts";
import type { Author } from "../model/author.ts";
import type { ServiceToken } from "../model/service-token.ts";

/** What somebody did with a service token of theirs, for the audit trail. */
export function auditedChange(
  { userId, sessionId, ...origin }: Author,
  event: AuditEvent,
  token: ServiceToken,
  at: number,
): AuditedEvent {
  return { userId, at, event, sessionId, token, origin };
}
