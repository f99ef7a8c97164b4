import type { AuditEvent } from "@clew/contract";
import type { Origin } from "./caller.ts";
import type { ServiceToken } from "./service-token.ts";

/** Something that happened to a user's sessions or service tokens, as it is written down (TOK-12). */
export interface AuditedEvent {
  readonly userId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly event: AuditEvent;
  /** The session that began or ended, or in which a token was changed. */
  readonly sessionId?: string;
  readonly token?: AuditedToken;
  /** The token that took this one's place. */
  readonly successorId?: number;
  /** The workspace that was disconnected. */
  readonly workspaceId?: string;
  readonly reason?: string;
  /** Left out where nobody asked for it. */
  readonly origin?: Origin;
}

/** A token as it was named then. */
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
