import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** One tombstone for each removal of a node: a client of the changes feed may know any earlier version of it. */
export const everyRemoval: Migration = {
  version: 3,
  name: "every-removal",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema.alterTable("tombstones").renameTo("tombstones_before").execute();
    await trx.schema
      .createTable("tombstones")
      .addColumn("connection_id", "integer", (column) =>
        column.notNull().references("connections.id").onDelete("cascade"),
      )
      .addColumn("node_id", "blob", (column) => column.notNull())
      .addColumn("added_revision", "integer", (column) => column.notNull())
      .addColumn("revision", "integer", (column) => column.notNull())
      .addColumn("removed_at", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("tombstones_key", ["connection_id", "revision", "node_id"])
      .modifyEnd(sql`strict, without rowid`)
      .execute();
    await sql`insert into tombstones select * from tombstones_before`.execute(trx);
    await trx.schema.dropTable("tombstones_before").execute();
    await trx.schema.createIndex("tombstones_by_age").on("tombstones").column("removed_at").execute();
  },
};
