import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** Other names of nodes, what texts call the pages that they name, and titles of a bounded length. */
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
    // As the provider's titles are cut from now on.
    await sql`update nodes set title = substr(title, 1, 1999) || '…' where length(title) > 2000`.execute(trx);
  },
};
