import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** Aliases of nodes, names of references in texts, and titles of bounded length. */
export const names: Migration = {
  version: 6,
  name: "names",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema.alterTable("nodes").addColumn("aliases", "text").execute();
    await trx.schema
      .createIndex("nodes_with_aliases")
      .on("nodes")
      .columns(["connection_id", "id"])
      .where(sql<boolean>`aliases is not null`)
      .execute();
    await trx.schema.alterTable("threads").addColumn("target_name", "text").execute();
    // The same length to which new titles are cut.
    await sql`update nodes set title = substr(title, 1, 1999) || '…' where length(title) > 2000`.execute(trx);
  },
};
