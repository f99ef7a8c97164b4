import { type Step, statements } from "../../migrate.ts";

/** The size of a row: its texts, and about what SQLite needs for the rest. */
const sizes = {
  nodes: [200, "title", "properties", "icon", "url", "aliases"],
  contents: [100, "markdown"],
  threads: [100, "name", "target_name"],
} as const;

/** Bytes that each connection stores (CONNECTION_QUOTA), counted by triggers so that no write is missed. */
export const storedBytes: Step = {
  version: 10,
  name: "stored-bytes",
  up: statements(
    "alter table connections add column stored_bytes integer default 0 not null",
    ...Object.entries(sizes).flatMap(([table, [fixed, ...columns]]) => {
      const size = (row: string) =>
        [fixed, ...columns.map((column) => `coalesce(octet_length(${row}${column}), 0)`)].join(" + ");
      const add = (row: string, bytes: string) =>
        `update connections set stored_bytes = stored_bytes + ${bytes} where id = ${row}.connection_id;`;
      return [
        `update connections set stored_bytes = stored_bytes +
          coalesce((select sum(${size("")}) from ${table} where connection_id = connections.id), 0)`,
        `create trigger ${table}_added after insert on ${table} begin ${add("new", `(${size("new.")})`)} end`,
        `create trigger ${table}_removed after delete on ${table} begin ${add("old", `-(${size("old.")})`)} end`,
        `create trigger ${table}_changed after update of ${columns.join(", ")} on ${table}
          begin ${add("new", `(${size("new.")}) - (${size("old.")})`)} end`,
      ];
    }),
  ),
};
