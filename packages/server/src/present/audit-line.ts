import type { AuditLine as AuditLineMessage } from "@clew/contract";
import type { AuditLine } from "../model/audit.ts";
import { presentTimestamp } from "./timestamp.ts";

/** A line of an audit trail as its user sees it (TOK-12). */
export function presentAuditLine(line: AuditLine): AuditLineMessage {
  return {
    id: line.id,
    at: presentTimestamp(line.at),
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
