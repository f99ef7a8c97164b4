import { type Step, statements } from "../../migrate.ts";

/** Jobs that outlive processes, reports, a feed of changes, and grants to revoke. */
export const lastingSync: Step = {
  version: 2,
  name: "lasting-sync",
  up: statements(
    "alter table connections add column sync_waiting_until integer",
    "alter table connections add column swept_at integer",
    "alter table connections add column withdrawn_at integer",
    "alter table connections add column forgotten_revision integer default 0 not null",
    "alter table nodes add column found_by text default 'search' not null",
    "alter table nodes add column read_at integer",
    "alter table nodes add column hangs_in blob",
    "update nodes set hangs_in = parent_id",
    "alter table nodes add column unsettled integer default 0 not null",
    "alter table nodes add column added_revision integer default 0 not null",
    "alter table nodes add column changed_revision integer default 0 not null",
    "create index nodes_by_change on nodes (connection_id, changed_revision, id)",
    // Few nodes are in this state, and each view of a workspace counts and lists them.
    "create index nodes_failed on nodes (connection_id, title, id) where content_state = 'failed'",
    `create table tombstones (
      connection_id integer not null references connections (id) on delete cascade,
      node_id blob not null,
      added_revision integer not null,
      revision integer not null,
      removed_at integer not null,
      constraint tombstones_key primary key (connection_id, node_id)
    ) strict, without rowid`,
    "create index tombstones_by_revision on tombstones (connection_id, revision, node_id)",
    "create index tombstones_by_age on tombstones (removed_at)",
    `create table listings (
      connection_id integer not null primary key references connections (id) on delete cascade,
      sync_started_at integer,
      first_run integer not null,
      begun_at integer,
      previous_at integer,
      is_done integer default 0 not null
    ) strict`,
    `create table data_sources (
      connection_id integer not null,
      id blob not null,
      database_id blob not null,
      listed_at integer,
      constraint data_sources_key primary key (connection_id, id),
      constraint data_sources_of_node foreign key (connection_id, database_id) references nodes (connection_id, id) on delete cascade
    ) strict, without rowid`,
    "create index data_sources_of_database on data_sources (connection_id, database_id)",
    `create table blocks (
      connection_id integer not null references connections (id) on delete cascade,
      id blob not null,
      hangs_in blob,
      constraint blocks_key primary key (connection_id, id)
    ) strict, without rowid`,
    `create table sync_jobs (
      connection_id integer not null primary key references connections (id) on delete cascade,
      priority integer not null,
      full integer default 0 not null,
      due_at integer not null,
      attempts integer default 0 not null,
      asked_again integer,
      worker text,
      leased_until integer
    ) strict`,
    "create index sync_jobs_by_turn on sync_jobs (priority, due_at)",
    // Until now only a connection's state said that a sync waits or runs.
    `insert into sync_jobs (connection_id, priority, due_at) select id, 0, 0 from connections
      where status = 'active' and sync_state in ('queued', 'running', 'waiting')`,
    `create table sync_reports (
      id integer primary key autoincrement,
      connection_id integer not null references connections (id) on delete cascade,
      finished_at integer not null,
      report text not null
    ) strict`,
    "create index sync_reports_of_connection on sync_reports (connection_id, id)",
    `create table revocations (
      id integer primary key autoincrement,
      provider text not null,
      sealed_token blob not null,
      attempts integer default 0 not null,
      due_at integer not null
    ) strict`,
  ),
};
