import { type Step, statements } from "../../migrate.ts";

/** One tombstone for each removal of a node: a client of the changes feed may know any earlier version of it. */
export const everyRemoval: Step = {
  version: 3,
  name: "every-removal",
  up: statements(
    "alter table tombstones rename to tombstones_before",
    `create table tombstones (
      connection_id integer not null references connections (id) on delete cascade,
      node_id blob not null,
      added_revision integer not null,
      revision integer not null,
      removed_at integer not null,
      constraint tombstones_key primary key (connection_id, revision, node_id)
    ) strict, without rowid`,
    "insert into tombstones select * from tombstones_before",
    "drop table tombstones_before",
    "create index tombstones_by_age on tombstones (removed_at)",
  ),
};
