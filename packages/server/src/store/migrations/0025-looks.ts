import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * Readings between whole listings (SYNC-11): pages that a job is to read, until when edits are known, and the instances
 * that share the looks. `sync_jobs.full` gets further values, which earlier programs take for 0: a whole listing.
 */
export const looks: SharedMigration = {
  version: 25,
  name: "looks",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  ...inEach(({ integer, text, tableOptions }) => [
    `alter table connections add column edits_as_of ${integer}`,
    `alter table crawl_checkpoints add column edits_at ${integer}`,
    `alter table sync_jobs add column named ${text}`,
    `alter table sync_jobs add column follow_up_named ${text}`,
    `create table instances (
      id ${text} not null,
      seen_at ${integer} not null,
      looked_at ${integer},
      peers ${text} not null,
      behind ${text} not null,
      constraint instances_key primary key (id)
    ) ${tableOptions}`,
  ]),
};
