import { type Static, Type } from "typebox";
import { closed, listOf, named, nullable, oneOf, paging, ref, Timestamp } from "./schema.ts";

/** What an audit trail tells of (TOK-12). */
export const auditEvents = [
  "signed_in",
  "signed_out",
  "token_created",
  "token_rotated",
  "token_revoked",
  "token_refused",
  "session_refreshed",
  "workspace_disconnected",
] as const;
export type AuditEvent = (typeof auditEvents)[number];

export const auditLimits = {
  /** Lines on one page. */
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
          "The session that began, ended or was refreshed from another address or user agent than before, or in which " +
          "something was changed; null where there was none",
      }),
    ),
    token: nullable(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        prefix: Type.String({ description: "First 12 characters of the raw token" }),
      }),
    ),
    successor_id: nullable(
      Type.Integer({ description: "The token that took this one's place in a rotation" }),
    ),
    workspace_id: nullable(Type.String({ description: "The workspace that was disconnected" })),
    reason: nullable(
      Type.String({
        description:
          "Code of the problem with which a token was refused; `workspace_disconnected` where it was revoked because " +
          "none of its workspaces was left; `ended_elsewhere` where a session was ended in another one; `operator` where " +
          "whoever runs Clew revoked the token or ended the session",
      }),
    ),
    address: nullable(Type.String({ description: "Network address that the request came from" })),
    user_agent: nullable(Type.String()),
  }),
);
export type AuditLine = Static<typeof AuditLine>;

export const AuditTrail = named("AuditTrail", listOf(ref(AuditLine)));
export type AuditTrail = Static<typeof AuditTrail>;

/** `GET /api/audit/`. */
export const AuditQuery = closed({
  token_id: Type.Optional(Type.Integer({ minimum: 1, description: "Only lines about this token" })),
  ...paging(auditLimits.page),
});
export type AuditQuery = Static<typeof AuditQuery>;
