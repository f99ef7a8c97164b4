import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * Tokens of connected apps: the client that a token was given to, and the code that it was given for. Requests that wait for a
 * person's decision, codes that wait for their client, documents of clients, and the key that seals registrations.
 */
export const connectedApps: SharedMigration = {
  version: 18,
  name: "connected-apps",
  since: "0.1.0",
  kind: "contract",
  stopsBefore: 18,
  rows: { service_tokens: "indexes" },
  ...inEach(({ integer, text, bytes, tableOptions }) => [
    `alter table service_tokens add column created_by_browser ${text}`,
    `alter table service_tokens add column client_name ${text}`,
    `alter table service_tokens add column client_hash ${bytes}`,
    `alter table service_tokens add column redirect_uri ${text}`,
    `alter table service_tokens add column resource ${text}`,
    `alter table service_tokens add column code_hash ${bytes}`,
    "create unique index service_tokens_by_code on service_tokens (code_hash) where code_hash is not null",
    `create table app_requests (
      request_hash ${bytes} not null primary key,
      browser_hash ${bytes} not null,
      parameters ${text} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    "create index app_requests_by_expiry on app_requests (expires_at)",
    `create table app_codes (
      code_hash ${bytes} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      session_id ${text} not null,
      client_id ${text} not null,
      client_name ${text} not null,
      redirect_uri ${text} not null,
      challenge ${text} not null,
      resource ${text} not null,
      scopes ${text} not null,
      workspace_ids ${text} not null,
      expires_in_days ${integer} not null,
      created_by_browser ${text},
      expires_at ${integer} not null
    ) ${tableOptions}`,
    "create index app_codes_of_user on app_codes (user_id)",
    `create table client_documents (
      client_id ${text} not null primary key,
      document ${text} not null,
      fetched_at ${integer} not null
    ) ${tableOptions}`,
    `alter table installation add column sealed_client_key ${bytes}`,
  ]),
};
