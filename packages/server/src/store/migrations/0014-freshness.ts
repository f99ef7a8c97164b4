import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * Whether the sync that follows a running one is to be full. Up to which revision texts show the titles of other pages: in
 * an older database none does. When a title in a text last changed, and which texts name a page.
 */
export const freshness: SharedMigration = {
  version: 14,
  name: "freshness",
  since: "0.1.0",
  kind: "contract",
  stopsBefore: 14,
  rows: { node_references: "indexes" },
  ...inEach(({ integer }) => [
    `alter table sync_jobs add column follow_up_full ${integer} not null default 0`,
    `alter table connections add column shown_titles_revision ${integer} not null default 0`,
    `alter table nodes add column retitled_revision ${integer} not null default 0`,
    "create index text_references_by_target on node_references (connection_id, target_id) where source = 'text'",
  ]),
};
