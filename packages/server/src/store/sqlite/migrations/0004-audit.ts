import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** The audit trail of sessions and service tokens. */
export const audit: Migration = {
  version: 4,
  name: "audit",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema
      .createTable("audit")
      .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("at", "integer", (column) => column.notNull())
      .addColumn("event", "text", (column) => column.notNull())
      .addColumn("session_id", "text")
      .addColumn("token_id", "integer")
      .addColumn("token_name", "text")
      .addColumn("token_prefix", "text")
      .addColumn("successor_id", "integer")
      .addColumn("reason", "text")
      .addColumn("address", "text")
      .addColumn("user_agent", "text")
      .modifyEnd(sql`strict`)
      .execute();
    await trx.schema.createIndex("audit_of_user").on("audit").columns(["user_id", "id"]).execute();
    await trx.schema.createIndex("audit_of_token").on("audit").columns(["token_id", "id"]).execute();
    await trx.schema.createIndex("audit_of_successor").on("audit").columns(["successor_id", "id"]).execute();
  },
};
