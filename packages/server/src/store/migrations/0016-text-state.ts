import { type SharedMigration, statements } from "../migrate.ts";

/** How much of a page's text is stored, in a column of its own: before, `read_at` said it with 0 and −1 instead of a time. */
export const textState: SharedMigration = {
  version: 16,
  name: "text-state",
  since: "0.1.0",
  kind: "contract",
  stopsBefore: 16,
  rows: { nodes: "rewrites" },
  sqlite: statements(
    "alter table nodes add column text_state text not null default 'unread'",
    `update nodes set
      text_state = case when read_at > 0 then 'whole' when read_at = 0 then 'unsettled' else 'partial' end,
      read_at = case when read_at > 0 then read_at end
      where read_at is not null`,
  ),
  postgres: statements(
    // Most texts are whole. Rows that exist get this default without being written, which would take minutes.
    `alter table nodes add column text_state text collate "C" not null default 'whole'`,
    "alter table nodes alter column text_state set default 'unread'",
    `update nodes set
      text_state = case when read_at = 0 then 'unsettled' when read_at < 0 then 'partial' else 'unread' end,
      read_at = null
      where read_at is null or read_at <= 0`,
  ),
};
