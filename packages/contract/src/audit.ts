import { type Static, Type } from "typebox";
import { closed, listOf, named, nullable, oneOf, paging, ref, Timestamp } from "./schema.ts";

/** The events that the audit trail records (TOK-12). */
export const auditEvents = [
  "signed_in",
  "signed_out",
  "token_created",
  "token_rotated",
  "token_revoked",
  "token_refused",
  "session_refreshed",
  "workspace_connected",
  "workspace_disconnected",
] as const;
export type AuditEvent = (typeof auditEvents)[number];

export const auditLimits = {
  /** Page sizes of the list. */
  page: { maximum: 100, standard: 50 },
} as const;

/** One line of a user's audit trail. */
export const AuditLine = named(
  "AuditLine",
  Type.Object({
    id: Type.Integer(),
    at: Timestamp,
    event: oneOf(auditEvents),
    session_id: nullable(
      Type.String({
        description:
          "The session that started, ended, was refreshed from a new address or user agent, or made the change; null if " +
          "there was none",
      }),
    ),
    token: nullable(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        prefix: Type.String({ description: "First 12 characters of the raw token" }),
      }),
    ),
    successor_id: nullable(Type.Integer({ description: "The token that replaced this one in a rotation" })),
    workspace_id: nullable(Type.String({ description: "The workspace that was disconnected" })),
    reason: nullable(
      Type.String({
        description:
          "The problem code with which a token was refused; `workspace_disconnected` if it was revoked because all its " +
          "workspaces were disconnected; `ended_elsewhere` if another session ended this one; `operator` if the operator " +
          "of Clew revoked the token, ended the session or disconnected the workspace; `app_connected` if a connected app got the token; " +
          "`app_disconnected` if it ended it; `code_reused` if its code was presented again; `unused` after 30 days " +
          "without use",
      }),
    ),
    address: nullable(Type.String({ description: "Network address of the client" })),
    user_agent: nullable(Type.String()),
  }),
);
export type AuditLine = Static<typeof AuditLine>;

export const AuditTrail = named("AuditTrail", listOf(ref(AuditLine)));
export type AuditTrail = Static<typeof AuditTrail>;

/** `GET /api/audit/`. */
export const AuditQuery = closed({
  token_id: Type.Optional(Type.Integer({ minimum: 1, description: "Returns only events of this token" })),
  ...paging(auditLimits.page),
});
export type AuditQuery = Static<typeof AuditQuery>;
