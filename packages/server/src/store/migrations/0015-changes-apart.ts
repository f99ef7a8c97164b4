import { type SharedMigration, statements } from "../migrate.ts";

/**
 * Indexes of changes with a condition that all rows meet and that only they make cheap: a scan of such an index does not check it,
 * and any other way to read the rows would. So queries that state the condition read changes in their order, whatever statistics
 * say of a connection, and others never use these indexes. A function in SQL would be inlined, and its cost forgotten. SQLite
 * needs none of it.
 */
export const changesApart: SharedMigration = {
  version: 15,
  name: "changes apart",
  since: "0.1.0",
  kind: "contract",
  stopsBefore: 15,
  // On PostgreSQL it indexes nodes and tombstones.
  rows: {},
  sqlite: statements(),
  postgres: statements(
    `create function is_read_by_change(added_revision int8) returns boolean
      language plpgsql immutable parallel safe cost 1000000 as $$ begin return true; end $$`,
    "drop index nodes_by_change",
    `create index nodes_by_change on nodes (connection_id, changed_revision, id)
      where is_read_by_change(added_revision)`,
    `create index tombstones_by_change on tombstones (connection_id, revision, node_id)
      where is_read_by_change(added_revision)`,
  ),
};
