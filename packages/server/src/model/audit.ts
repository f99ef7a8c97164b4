import type { AuditEvent } from "@clew/contract";
import type { Origin } from "./caller.ts";
import type { ServiceToken } from "./service-token.ts";

/** An event of a user's sessions or service tokens, as the audit trail records it (TOK-12). */
export interface AuditedEvent {
  readonly userId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly event: AuditEvent;
  /** The session that began or ended, or in which a token was changed. */
  readonly sessionId?: string;
  readonly token?: AuditedToken;
  /** The token that replaced this one. */
  readonly successorId?: number;
  /** The workspace that was disconnected. */
  readonly workspaceId?: string;
  readonly reason?: string;
  /** Absent if the event has no request. */
  readonly origin?: Origin;
}

/** A token with its name at the time. */
type AuditedToken = Pick<ServiceToken, "id" | "name" | "prefix">;

/** A line of an audit trail. */
export interface AuditLine {
  readonly id: number;
  readonly at: number;
  readonly event: AuditEvent;
  readonly sessionId: string | null;
  readonly token: AuditedToken | null;
  readonly successorId: number | null;
  readonly workspaceId: string | null;
  readonly reason: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}
