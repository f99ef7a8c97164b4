import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * Indexes for a reading of edits: the children of a node, the nodes at the top, and the few that are to be read or looked up again.
 * All are partial: SQLite would read whole workspaces in the order of an index that has every node.
 */
export const nodeIndexes: SharedMigration = {
  version: 32,
  name: "node-indexes",
  since: "0.1.0",
  kind: "expand",
  rows: { nodes: "indexes" },
  ...inEach(() => [
    "create index nodes_by_parent on nodes (connection_id, parent_id) where parent_id is not null",
    "create index nodes_at_top on nodes (connection_id) where parent_id is null",
    "create index nodes_to_read on nodes (connection_id) where content_state in ('pending', 'failed')",
    "create index nodes_unsettled on nodes (connection_id) where unsettled = 1",
  ]),
};
