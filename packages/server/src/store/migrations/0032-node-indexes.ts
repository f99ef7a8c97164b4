import { inEach, type SharedMigration } from "../migrate.ts";

/** What a reading of edits asks for: the children of a node, and the few nodes that are to be read or looked up again. */
export const nodeIndexes: SharedMigration = {
  version: 32,
  name: "node-indexes",
  since: "0.1.0",
  kind: "expand",
  rows: { nodes: "indexes" },
  ...inEach(() => [
    "create index nodes_by_parent on nodes (connection_id, parent_id)",
    "create index nodes_to_read on nodes (connection_id) where content_state in ('pending', 'failed')",
    "create index nodes_unsettled on nodes (connection_id) where unsettled = 1",
  ]),
};
