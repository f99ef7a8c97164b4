import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** How the last sync ended, and when the last complete one did. */
export const syncOutcome: Migration = {
  version: 5,
  name: "sync-outcome",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema.alterTable("connections").addColumn("sync_outcome", "text").execute();
    await trx.schema.alterTable("connections").addColumn("complete_as_of", "integer").execute();
    // Earlier programs could call a sync complete that had missed something: the next one reads everything again.
    await sql`update connections set swept_at = null`.execute(trx);
  },
};
