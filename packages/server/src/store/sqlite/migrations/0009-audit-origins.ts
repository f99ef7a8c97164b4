import { type Step, statements } from "../../migrate.ts";

/** The workspace of an event, and an index of a session's events, to see if it was refreshed from an address before. */
export const auditOrigins: Step = {
  version: 9,
  name: "audit-origins",
  up: statements(
    "alter table audit add column workspace_id text",
    "create index audit_of_session on audit (session_id, id)",
  ),
};
