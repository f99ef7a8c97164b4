import type { Kysely } from "kysely";
import type { Migration } from "./migrate.ts";

/** The workspace of an event, and an index of a session's events, to see if it was refreshed from an address before. */
export const auditOrigins: Migration = {
  version: 9,
  name: "audit-origins",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema.alterTable("audit").addColumn("workspace_id", "text").execute();
    await trx.schema.createIndex("audit_of_session").on("audit").columns(["session_id", "id"]).execute();
  },
};
