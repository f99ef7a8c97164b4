import { sql } from "kysely";
import type { Step } from "../../migrate.ts";

/** For each of these, the revision with which it last changed. */
const aspects = ["title", "text", "parent", "properties", "references"] as const;

/**
 * Columns for the changed aspects of a node, the time of its edit, the columns of data sources, and the places of references in a text.
 * For nodes that are stored already, 0 and null stand for changes that were not seen.
 */
export const whatChanged: Step = {
  version: 12,
  name: "what-changed",
  up: async ({ schema }) => {
    for (const name of [...aspects.map((aspect) => `${aspect}_revision`), "edited_revision"]) {
      const withDefault = schema
        .alterTable("nodes")
        .addColumn(name, "integer", (column) => column.notNull().defaultTo(0));
      await withDefault.execute();
    }
    await schema.alterTable("nodes").addColumn("properties_digest", "text").execute();
    await schema.alterTable("contents").addColumn("reference_offsets", "text").execute();
    await schema.alterTable("data_sources").addColumn("columns", "text").execute();
    // Texts that an earlier program stored, until the next sync has located their references.
    await schema
      .createIndex("contents_not_located")
      .on("contents")
      .columns(["connection_id", "node_id"])
      .where(sql.ref("reference_offsets"), "is", null)
      .execute();
    await schema
      .createIndex("tombstones_by_time")
      .on("tombstones")
      .columns(["connection_id", "removed_at", "node_id"])
      .execute();
  },
};
