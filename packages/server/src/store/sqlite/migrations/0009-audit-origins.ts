import type { Kysely } from "kysely";
import type { Migration } from "./migrate.ts";

/** The workspace that a line is about, and a session's lines, to tell whether it was refreshed from there before. */
export const auditOrigins: Migration = {
  version: 9,
  name: "audit-origins",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema.alterTable("audit").addColumn("workspace_id", "text").execute();
    await trx.schema.createIndex("audit_of_session").on("audit").columns(["session_id", "id"]).execute();
  },
};
