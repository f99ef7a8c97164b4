import { type Step, statements } from "../../migrate.ts";

/**
 * Adds the id to the index. Without statistics for a connection, the planner used this index to look up nodes by id, and
 * scanned every revision. A partial index serves only queries that state its condition.
 */
export const nodesByChange: Step = {
  version: 4,
  name: "nodes by change",
  up: statements(
    "drop index nodes_by_change",
    `create index nodes_by_change on nodes (connection_id, changed_revision, id)
      where added_revision >= 0`,
  ),
};
