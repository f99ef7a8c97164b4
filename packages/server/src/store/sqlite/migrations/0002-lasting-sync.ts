import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** Jobs that outlive processes, reports, a feed of changes, and grants to revoke. */
export const lastingSync: Migration = {
  version: 2,
  name: "lasting-sync",
  async up(trx) {
    await connections(trx);
    await nodes(trx);
    await tombstones(trx);
    await listings(trx);
    await jobs(trx);
    await reports(trx);
    await revocations(trx);
  },
};

const strict = sql`strict`;
const clustered = sql`strict, without rowid`;

async function connections(trx: Kysely<Record<never, never>>): Promise<void> {
  const add = (column: string) => trx.schema.alterTable("connections").addColumn(column, "integer").execute();
  for (const column of ["sync_waiting_until", "swept_at", "withdrawn_at"]) await add(column);
  await trx.schema
    .alterTable("connections")
    .addColumn("forgotten_revision", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function nodes(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .alterTable("nodes")
    .addColumn("found_by", "text", (column) => column.notNull().defaultTo("search"))
    .execute();
  await trx.schema.alterTable("nodes").addColumn("read_at", "integer").execute();
  await trx.schema.alterTable("nodes").addColumn("hangs_in", "blob").execute();
  await sql`update nodes set hangs_in = parent_id`.execute(trx);
  for (const column of ["unsettled", "added_revision", "changed_revision"]) {
    await trx.schema
      .alterTable("nodes")
      .addColumn(column, "integer", (definition) => definition.notNull().defaultTo(0))
      .execute();
  }
  await trx.schema
    .createIndex("nodes_by_change")
    .on("nodes")
    .columns(["connection_id", "changed_revision", "id"])
    .execute();
  // Few nodes are in this state, and each view of a workspace counts and lists them.
  await trx.schema
    .createIndex("nodes_failed")
    .on("nodes")
    .columns(["connection_id", "title", "id"])
    .where(sql<boolean>`content_state = 'failed'`)
    .execute();
}

async function tombstones(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("tombstones")
    .addColumn("connection_id", "integer", (column) =>
      column.notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("node_id", "blob", (column) => column.notNull())
    .addColumn("added_revision", "integer", (column) => column.notNull())
    .addColumn("revision", "integer", (column) => column.notNull())
    .addColumn("removed_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("tombstones_key", ["connection_id", "node_id"])
    .modifyEnd(clustered)
    .execute();
  await trx.schema
    .createIndex("tombstones_by_revision")
    .on("tombstones")
    .columns(["connection_id", "revision", "node_id"])
    .execute();
  await trx.schema.createIndex("tombstones_by_age").on("tombstones").column("removed_at").execute();
}

async function listings(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("listings")
    .addColumn("connection_id", "integer", (column) =>
      column.primaryKey().notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("sync_started_at", "integer")
    .addColumn("first_run", "integer", (column) => column.notNull())
    .addColumn("begun_at", "integer")
    .addColumn("previous_at", "integer")
    .addColumn("is_done", "integer", (column) => column.notNull().defaultTo(0))
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createTable("data_sources")
    .addColumn("connection_id", "integer", (column) => column.notNull())
    .addColumn("id", "blob", (column) => column.notNull())
    .addColumn("database_id", "blob", (column) => column.notNull())
    .addColumn("listed_at", "integer")
    .addPrimaryKeyConstraint("data_sources_key", ["connection_id", "id"])
    .addForeignKeyConstraint(
      "data_sources_of_node",
      ["connection_id", "database_id"],
      "nodes",
      ["connection_id", "id"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .modifyEnd(clustered)
    .execute();
  await trx.schema
    .createIndex("data_sources_of_database")
    .on("data_sources")
    .columns(["connection_id", "database_id"])
    .execute();
  await trx.schema
    .createTable("blocks")
    .addColumn("connection_id", "integer", (column) =>
      column.notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("id", "blob", (column) => column.notNull())
    .addColumn("hangs_in", "blob")
    .addPrimaryKeyConstraint("blocks_key", ["connection_id", "id"])
    .modifyEnd(clustered)
    .execute();
}

async function jobs(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("sync_jobs")
    .addColumn("connection_id", "integer", (column) =>
      column.primaryKey().notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("priority", "integer", (column) => column.notNull())
    .addColumn("full", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("due_at", "integer", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("asked_again", "integer")
    .addColumn("worker", "text")
    .addColumn("leased_until", "integer")
    .modifyEnd(strict)
    .execute();
  await trx.schema.createIndex("sync_jobs_by_turn").on("sync_jobs").columns(["priority", "due_at"]).execute();
  // Until now only a connection's state said that a sync waits or runs.
  await sql`insert into sync_jobs (connection_id, priority, due_at) select id, 0, 0 from connections
    where status = 'active' and sync_state in ('queued', 'running', 'waiting')`.execute(trx);
}

async function reports(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("sync_reports")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("connection_id", "integer", (column) =>
      column.notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("finished_at", "integer", (column) => column.notNull())
    .addColumn("report", "text", (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await trx.schema
    .createIndex("sync_reports_of_connection")
    .on("sync_reports")
    .columns(["connection_id", "id"])
    .execute();
}

async function revocations(trx: Kysely<Record<never, never>>): Promise<void> {
  await trx.schema
    .createTable("revocations")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("sealed_token", "blob", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("due_at", "integer", (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}
