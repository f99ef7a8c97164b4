import { type Step, statements } from "../../migrate.ts";

/** Aliases of nodes, names of references in texts, and titles of bounded length. */
export const names: Step = {
  version: 6,
  name: "names",
  up: statements(
    "alter table nodes add column aliases text",
    "create index nodes_with_aliases on nodes (connection_id, id) where aliases is not null",
    "alter table threads add column target_name text",
    // The same length to which new titles are cut.
    "update nodes set title = substr(title, 1, 1999) || '…' where length(title) > 2000",
  ),
};
