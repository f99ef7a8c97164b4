import { type Migration, statements } from "../../migrate.ts";

/**
 * The index has the id too. Where statistics do not cover a connection, looking up its nodes by id seemed to cost no more by
 * this index than by the key, and it went through all revisions. A partial index serves only queries that state its condition.
 */
export const nodesByChange: Migration = {
  version: 4,
  name: "nodes by change",
  up: statements(
    "drop index nodes_by_change",
    `create index nodes_by_change on nodes (connection_id, changed_revision, id)
      where added_revision >= 0`,
  ),
};
