import { type Step, statements } from "../../migrate.ts";

/** The first schema. */
export const initial: Step = {
  version: 1,
  name: "initial",
  up: statements(
    `create table installation (
      id integer primary key check (id = 1),
      sealed_key_check blob not null
    ) strict`,
    `create table users (
      id text not null primary key,
      provider text not null,
      provider_user_id text not null,
      name text,
      email text,
      avatar_url text,
      created_at integer not null,
      last_sign_in_at integer not null,
      constraint users_of_provider unique (provider, provider_user_id)
    ) strict`,
    `create table sessions (
      id text not null primary key,
      user_id text not null references users (id) on delete cascade,
      user_agent text,
      created_at integer not null,
      last_refreshed_at integer,
      refresh_expires_at integer not null,
      ended_at integer
    ) strict, without rowid`,
    "create index sessions_of_user on sessions (user_id)",
    "create index sessions_by_expiry on sessions (refresh_expires_at)",
    `create table sign_in_attempts (
      state_hash blob not null primary key,
      browser_hash blob not null,
      expires_at integer not null
    ) strict, without rowid`,
    "create index sign_in_attempts_by_expiry on sign_in_attempts (expires_at)",
    `create table signing_keys (
      kid text not null primary key,
      sealed_secret blob not null,
      created_at integer not null,
      retired_at integer
    ) strict`,
    `create table connections (
      -- Never reused, so that the late write of a removed connection's sync cannot reach its successor.
      id integer primary key autoincrement,
      user_id text not null references users (id) on delete cascade,
      workspace_id text not null,
      name text,
      icon text,
      bot_id text not null,
      access_token blob not null,
      refresh_token blob,
      status text default 'active' not null,
      connected_at integer not null,
      last_synced_at integer,
      revision integer default 0 not null,
      published_revision integer default 0 not null,
      run integer default 0 not null,
      sync_state text not null,
      sync_phase text,
      sync_done integer not null,
      sync_total integer,
      sync_started_at integer,
      sync_finished_at integer,
      sync_error text,
      constraint connections_of_user unique (user_id, workspace_id)
    ) strict`,
    `create table service_tokens (
      -- Never reused (TOK-8).
      id integer primary key autoincrement,
      user_id text not null references users (id) on delete cascade,
      name text not null,
      hash blob not null unique,
      prefix text not null,
      scopes text not null,
      workspace_ids text not null,
      expires_in_days integer,
      created_at integer not null,
      expires_at integer,
      revoked_at integer,
      last_used_at integer
    ) strict`,
    "create index service_tokens_of_user on service_tokens (user_id, id)",
    `create table nodes (
      connection_id integer not null references connections (id) on delete cascade,
      id blob not null,
      type text not null,
      title text not null,
      icon text,
      url text,
      parent_id blob,
      created_at integer not null,
      updated_at integer not null,
      content_state text not null,
      content_error text,
      run integer not null,
      properties text not null,
      constraint nodes_key primary key (connection_id, id)
    ) strict`,
    `create table contents (
      connection_id integer not null,
      node_id blob not null,
      updated_at integer not null,
      total_chars integer not null,
      digest text not null,
      markdown text not null,
      constraint contents_key primary key (connection_id, node_id),
      constraint contents_of_node foreign key (connection_id, node_id) references nodes (connection_id, id) on delete cascade
    ) strict`,
    `create table threads (
      connection_id integer not null,
      from_id blob not null,
      source text not null,
      position integer not null,
      type text not null,
      target_id blob not null,
      name text,
      count integer not null,
      constraint threads_key primary key (connection_id, from_id, source, position),
      constraint threads_of_node foreign key (connection_id, from_id) references nodes (connection_id, id) on delete cascade
    ) strict, without rowid`,
  ),
};
