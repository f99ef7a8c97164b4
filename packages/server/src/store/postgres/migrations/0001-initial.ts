import { type Step, statements } from "../../migrate.ts";

/** The size of a row in `connections.stored_bytes`: its texts, and about what SQLite needs for the rest. */
const sizes = {
  nodes: [200, "title", "properties", "icon", "url", "aliases"],
  contents: [100, "markdown"],
  node_references: [100, "name", "target_name"],
} as const;

/** The first schema. */
export const initial: Step = {
  version: 1,
  name: "initial",
  up: statements(
    ...[
      `create table installation (
      id int8 primary key check (id = 1),
      sealed_key_check bytea not null,
      next_key_check bytea,
      fingerprint bytea not null
    )`,
      `create table users (
      id text primary key,
      provider text not null,
      provider_user_id text not null,
      name text,
      email text,
      avatar_url text,
      created_at int8 not null,
      last_sign_in_at int8 not null,
      constraint users_of_provider unique (provider, provider_user_id)
    )`,
      `create table sessions (
      id text primary key,
      user_id text not null references users on delete cascade,
      user_agent text,
      created_at int8 not null,
      last_refreshed_at int8,
      refresh_expires_at int8 not null,
      ended_at int8
    )`,
      "create index sessions_of_user on sessions (user_id)",
      "create index sessions_by_expiry on sessions (refresh_expires_at)",
      `create table sign_in_attempts (
      state_hash bytea primary key,
      browser_hash bytea not null,
      expires_at int8 not null
    )`,
      "create index sign_in_attempts_by_expiry on sign_in_attempts (expires_at)",
      `create table sign_in_codes (
      code_hash bytea primary key,
      expires_at int8 not null
    )`,
      `create table signing_keys (
      kid text primary key,
      sealed_secret bytea not null,
      created_at int8 not null,
      retired_at int8
    )`,
      `create table connections (
      -- Never reused, so that the late write of a removed connection's sync cannot reach its successor.
      id int8 generated always as identity primary key,
      user_id text not null references users on delete cascade,
      workspace_id text not null,
      name text,
      icon text,
      bot_id text not null,
      access_token bytea not null,
      refresh_token bytea,
      status text default 'active' not null,
      connected_at int8 not null,
      last_synced_at int8,
      complete_as_of int8,
      revision int8 default 0 not null,
      published_revision int8 default 0 not null,
      forgotten_revision int8 default 0 not null,
      run int8 default 0 not null,
      sync_state text not null,
      sync_phase text,
      sync_done int8 not null,
      sync_total int8,
      sync_started_at int8,
      sync_finished_at int8,
      sync_error text,
      sync_outcome text,
      sync_waiting_until int8,
      swept_at int8,
      withdrawn_at int8,
      stored_bytes int8 default 0 not null,
      constraint connections_of_user unique (user_id, workspace_id)
    )`,
      `create table service_tokens (
      -- Never reused (TOK-8).
      id int8 generated always as identity primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      hash bytea not null unique,
      prefix text not null,
      scopes text not null,
      workspace_ids text not null,
      expires_in_days int8,
      created_at int8 not null,
      expires_at int8,
      revoked_at int8,
      last_used_at int8
    )`,
      "create index service_tokens_of_user on service_tokens (user_id, id)",
      `create table audit (
      id int8 generated always as identity primary key,
      user_id text not null references users on delete cascade,
      at int8 not null,
      event text not null,
      session_id text,
      token_id int8,
      token_name text,
      token_prefix text,
      successor_id int8,
      workspace_id text,
      reason text,
      address text,
      user_agent text
    )`,
      "create index audit_of_user on audit (user_id, id)",
      "create index audit_of_token on audit (token_id, id)",
      "create index audit_of_successor on audit (successor_id, id)",
      "create index audit_of_session on audit (session_id, id)",
      `create table nodes (
      connection_id int8 not null references connections on delete cascade,
      id bytea not null,
      type text not null,
      title text not null,
      aliases text,
      icon text,
      url text,
      parent_id bytea,
      created_at int8 not null,
      updated_at int8 not null,
      properties text not null,
      content_state text not null,
      content_error text,
      run int8 not null,
      found_by text default 'search' not null,
      read_at int8,
      container_id bytea,
      unsettled int8 default 0 not null,
      added_revision int8 default 0 not null,
      changed_revision int8 default 0 not null,
      title_revision int8 default 0 not null,
      text_revision int8 default 0 not null,
      parent_revision int8 default 0 not null,
      properties_revision int8 default 0 not null,
      references_revision int8 default 0 not null,
      edited_revision int8 default 0 not null,
      properties_digest text,
      constraint nodes_key primary key (connection_id, id)
    )`,
      "create index nodes_by_change on nodes (connection_id, changed_revision, id)",
      "create index nodes_with_aliases on nodes (connection_id, id) where aliases is not null",
      // Few nodes are in this state, and each view of a workspace counts and lists them. Titles may be too long for an index.
      "create index nodes_failed on nodes (connection_id, id) where content_state = 'failed'",
      `create table contents (
      connection_id int8 not null,
      node_id bytea not null,
      markdown text not null,
      total_chars int8 not null,
      digest text not null,
      updated_at int8 not null,
      reference_offsets text,
      constraint contents_key primary key (connection_id, node_id),
      constraint contents_of_node foreign key (connection_id, node_id) references nodes on delete cascade
    )`,
      "create index contents_not_located on contents (connection_id, node_id) where reference_offsets is null",
      `create table node_references (
      connection_id int8 not null,
      from_id bytea not null,
      source text not null,
      position int8 not null,
      type text not null,
      target_id bytea not null,
      name text,
      target_name text,
      count int8 not null,
      constraint node_references_key primary key (connection_id, from_id, source, position),
      constraint node_references_of_node foreign key (connection_id, from_id) references nodes on delete cascade
    )`,
      `create table tombstones (
      connection_id int8 not null references connections on delete cascade,
      node_id bytea not null,
      added_revision int8 not null,
      revision int8 not null,
      removed_at int8 not null,
      constraint tombstones_key primary key (connection_id, revision, node_id)
    )`,
      "create index tombstones_by_age on tombstones (removed_at)",
      "create index tombstones_by_time on tombstones (connection_id, removed_at, node_id)",
      `create table crawl_checkpoints (
      connection_id int8 primary key references connections on delete cascade,
      sync_started_at int8,
      first_run int8 not null,
      begun_at int8,
      previous_at int8,
      is_done int8 default 0 not null
    )`,
      `create table data_sources (
      connection_id int8 not null,
      id bytea not null,
      database_id bytea not null,
      listed_at int8,
      columns text,
      constraint data_sources_key primary key (connection_id, id),
      constraint data_sources_of_node foreign key (connection_id, database_id) references nodes on delete cascade
    )`,
      "create index data_sources_of_database on data_sources (connection_id, database_id)",
      `create table blocks (
      connection_id int8 not null references connections on delete cascade,
      id bytea not null,
      container_id bytea,
      constraint blocks_key primary key (connection_id, id)
    )`,
      `create table sync_jobs (
      connection_id int8 primary key references connections on delete cascade,
      priority int8 not null,
      "full" int8 default 0 not null,
      due_at int8 not null,
      attempts int8 default 0 not null,
      asked_again int8,
      worker text,
      leased_until int8
    )`,
      "create index sync_jobs_by_turn on sync_jobs (priority, due_at)",
      `create table sync_reports (
      id int8 generated always as identity primary key,
      connection_id int8 not null references connections on delete cascade,
      finished_at int8 not null,
      report text not null
    )`,
      "create index sync_reports_of_connection on sync_reports (connection_id, id)",
      `create table revocations (
      id int8 generated always as identity primary key,
      provider text not null,
      sealed_token bytea not null,
      attempts int8 default 0 not null,
      due_at int8 not null
    )`,
      // The text index (texts.ts): derived data, which can be deleted at any time.
      `create table text_index (
      id int8 primary key check (id = 1),
      store_id text not null,
      format int8 not null,
      fingerprint bytea not null
    )`,
      `create table text_manifests (
      connection_id int8 primary key,
      revision int8 not null,
      segments text not null,
      indexed float8 not null
    )`,
      `create table text_segments (
      id int8 generated always as identity primary key,
      connection_id int8 not null,
      -- When it left its manifest; before it has one, when it was begun.
      dropped_at int8
    )`,
      "create index text_segments_dropped on text_segments (dropped_at) where dropped_at is not null",
      `create table text_pages (
      segment_id int8 not null,
      chunk int8 not null,
      bytes bytea not null,
      primary key (segment_id, chunk)
    )`,
      `create table text_blocks (
      segment_id int8 not null,
      term bytea not null,
      part int8 not null,
      postings bytea not null,
      primary key (segment_id, term, part)
    )`,
      // A look-up would otherwise go through all parts of the term before.
      "create index text_blocks_by_term on text_blocks (segment_id, term) where part = 0",
      `create table text_positions (
      segment_id int8 not null,
      number int8 not null,
      positions bytea not null,
      primary key (segment_id, number)
    )`,
      // They are compressed already.
      "alter table text_pages alter column bytes set storage external",
      "alter table text_blocks alter column postings set storage external",
      "alter table text_positions alter column positions set storage external",
    ].map(bytewise),
    ...Object.entries(sizes).flatMap(([table, [fixed, ...columns]]) => countBytes(table, fixed, columns)),
  ),
};

/** Text is compared and sorted by its bytes, as in SQLite, whatever locale the database has. */
function bytewise(statement: string): string {
  return statement.replaceAll(/ text\b/g, ' text collate "C"');
}

/**
 * Keeps `connections.stored_bytes`, so that no write is missed. Once for each statement and connection, not for each row:
 * every update of the connection's row would leave a version of it to vacuum.
 */
function countBytes(table: string, fixed: number, columns: readonly string[]): string[] {
  const size = [fixed, ...columns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(" + ");
  const sums = {
    insert: [`select connection_id, ${size} as bytes from added`, "new table as added"],
    delete: [`select connection_id, -(${size}) as bytes from removed`, "old table as removed"],
    update: [
      `select connection_id, ${size} as bytes from added
        union all select connection_id, -(${size}) from removed`,
      "old table as removed new table as added",
    ],
  };
  return Object.entries(sums).flatMap(([event, [rows, tables]]) => [
    `create function ${table}_count_${event}() returns trigger language plpgsql as $$ begin
      update connections set stored_bytes = stored_bytes + changed.bytes
      from (select connection_id, sum(bytes)::int8 as bytes from (${rows}) as each group by connection_id) as changed
      where id = changed.connection_id and changed.bytes <> 0;
      return null;
    end $$`,
    `create trigger ${table}_count_${event} after ${event} on ${table}
      referencing ${tables} for each statement execute function ${table}_count_${event}()`,
  ]);
}
