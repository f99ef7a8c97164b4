import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** The first schema. */
export const initial: Migration = {
  version: 1,
  name: "initial",
  async up(trx) {
    await accounts(trx);
    await connections(trx);
    await serviceTokens(trx);
    await graph(trx);
  },
};

const strict = sql`strict`;
const clustered = sql`strict, without rowid`;

async function accounts(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("installation")
    .addColumn("id", "integer", (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn("sealed_key_check", "blob", (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createTable("users")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("provider_user_id", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("email", "text")
    .addColumn("avatar_url", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("last_sign_in_at", "integer", (column) => column.notNull())
    .addUniqueConstraint("users_of_provider", ["provider", "provider_user_id"])
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createTable("sessions")
    .addColumn("id", "text", (column) => column.primaryKey().notNull())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("user_agent", "text")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("last_refreshed_at", "integer")
    .addColumn("refresh_expires_at", "integer", (column) => column.notNull())
    .addColumn("ended_at", "integer")
    .modifyEnd(clustered)
    .execute();
  await trx.schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();
  await trx.schema.createIndex("sessions_by_expiry").on("sessions").column("refresh_expires_at").execute();
  await trx.schema
    .createTable("sign_in_attempts")
    .addColumn("state_hash", "blob", (column) => column.primaryKey().notNull())
    .addColumn("browser_hash", "blob", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .modifyEnd(clustered)
    .execute();
  await trx.schema
    .createIndex("sign_in_attempts_by_expiry")
    .on("sign_in_attempts")
    .column("expires_at")
    .execute();
  await trx.schema
    .createTable("signing_keys")
    .addColumn("kid", "text", (column) => column.primaryKey().notNull())
    .addColumn("sealed_secret", "blob", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("retired_at", "integer")
    .modifyEnd(strict)
    .execute();
}

async function connections(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("connections")
    // Never reused, so that the late write of a removed connection's sync cannot reach its successor.
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("icon", "text")
    .addColumn("bot_id", "text", (column) => column.notNull())
    .addColumn("access_token", "blob", (column) => column.notNull())
    .addColumn("refresh_token", "blob")
    .addColumn("status", "text", (column) => column.notNull().defaultTo("active"))
    .addColumn("connected_at", "integer", (column) => column.notNull())
    .addColumn("last_synced_at", "integer")
    .addColumn("revision", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("published_revision", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("run", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("sync_state", "text", (column) => column.notNull())
    .addColumn("sync_phase", "text")
    .addColumn("sync_done", "integer", (column) => column.notNull())
    .addColumn("sync_total", "integer")
    .addColumn("sync_started_at", "integer")
    .addColumn("sync_finished_at", "integer")
    .addColumn("sync_error", "text")
    .addUniqueConstraint("connections_of_user", ["user_id", "workspace_id"])
    .modifyEnd(strict)
    .execute();
}

async function serviceTokens(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("service_tokens")
    // Never reused (TOK-8).
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("hash", "blob", (column) => column.notNull().unique())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("workspace_ids", "text", (column) => column.notNull())
    .addColumn("expires_in_days", "integer")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer")
    .addColumn("revoked_at", "integer")
    .addColumn("last_used_at", "integer")
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createIndex("service_tokens_of_user")
    .on("service_tokens")
    .columns(["user_id", "id"])
    .execute();
}

async function graph(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("nodes")
    .addColumn("connection_id", "integer", (column) =>
      column.notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("id", "blob", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("icon", "text")
    .addColumn("url", "text")
    .addColumn("parent_id", "blob")
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("updated_at", "integer", (column) => column.notNull())
    .addColumn("content_state", "text", (column) => column.notNull())
    .addColumn("content_error", "text")
    .addColumn("run", "integer", (column) => column.notNull())
    .addColumn("properties", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("nodes_key", ["connection_id", "id"])
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createTable("contents")
    .addColumn("connection_id", "integer", (column) => column.notNull())
    .addColumn("node_id", "blob", (column) => column.notNull())
    .addColumn("updated_at", "integer", (column) => column.notNull())
    .addColumn("total_chars", "integer", (column) => column.notNull())
    .addColumn("digest", "text", (column) => column.notNull())
    .addColumn("markdown", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("contents_key", ["connection_id", "node_id"])
    .addForeignKeyConstraint(
      "contents_of_node",
      ["connection_id", "node_id"],
      "nodes",
      ["connection_id", "id"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createTable("threads")
    .addColumn("connection_id", "integer", (column) => column.notNull())
    .addColumn("from_id", "blob", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("target_id", "blob", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("count", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("threads_key", ["connection_id", "from_id", "source", "position"])
    .addForeignKeyConstraint(
      "threads_of_node",
      ["connection_id", "from_id"],
      "nodes",
      ["connection_id", "id"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .modifyEnd(clustered)
    .execute();
}
