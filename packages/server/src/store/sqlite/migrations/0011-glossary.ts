import { type Step, statements } from "../../migrate.ts";

/** Gives tables, columns and triggers the names of the glossary. SQLite carries references between tables along. */
export const glossary: Step = {
  version: 11,
  name: "glossary",
  up: statements(
    "drop trigger threads_added",
    "drop trigger threads_removed",
    "drop trigger threads_changed",
    "alter table threads rename to node_references",
    "alter table listings rename to crawl_checkpoints",
    "alter table nodes rename column hangs_in to container_id",
    "alter table blocks rename column hangs_in to container_id",
    countBytes("added", "insert", `(${size("new")})`),
    countBytes("removed", "delete", `-(${size("old")})`),
    countBytes("changed", "update of name, target_name", `(${size("new")}) - (${size("old")})`),
  ),
};

/** The bytes that a reference counts for in `connections.stored_bytes`, as since migration 10. */
function size(row: "new" | "old"): string {
  return `100 + coalesce(octet_length(${row}.name), 0) + coalesce(octet_length(${row}.target_name), 0)`;
}

function countBytes(name: string, event: string, bytes: string): string {
  const row = event === "delete" ? "old" : "new";
  return `create trigger node_references_${name} after ${event} on node_references begin
    update connections set stored_bytes = stored_bytes + ${bytes} where id = ${row}.connection_id; end`;
}
