import { type Kysely, sql } from "kysely";
import type { Migration } from "./migrate.ts";

/** What a row counts for: its texts, and about what SQLite needs for the rest. */
const sizes = {
  nodes: [200, "title", "properties", "icon", "url", "aliases"],
  contents: [100, "markdown"],
  threads: [100, "name", "target_name"],
} as const;

/** Bytes that each connection stores (CONNECTION_QUOTA), counted by triggers so that no write is missed. */
export const storedBytes: Migration = {
  version: 10,
  name: "stored-bytes",
  async up(trx: Kysely<Record<never, never>>) {
    await trx.schema
      .alterTable("connections")
      .addColumn("stored_bytes", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    for (const [table, [fixed, ...columns]] of Object.entries(sizes)) {
      const size = (row: string) =>
        [fixed, ...columns.map((column) => `coalesce(octet_length(${row}${column}), 0)`)].join(" + ");
      const add = (row: string, bytes: string) =>
        `update connections set stored_bytes = stored_bytes + ${bytes} where id = ${row}.connection_id;`;
      for (const statement of [
        `update connections set stored_bytes = stored_bytes +
          coalesce((select sum(${size("")}) from ${table} where connection_id = connections.id), 0)`,
        `create trigger ${table}_added after insert on ${table} begin ${add("new", `(${size("new.")})`)} end`,
        `create trigger ${table}_removed after delete on ${table} begin ${add("old", `-(${size("old.")})`)} end`,
        `create trigger ${table}_changed after update of ${columns.join(", ")} on ${table}
          begin ${add("new", `(${size("new.")}) - (${size("old.")})`)} end`,
      ])
        await sql.raw(statement).execute(trx);
    }
  },
};
