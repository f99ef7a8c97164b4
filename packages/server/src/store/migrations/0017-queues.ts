import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * The connections that are removed bit by bit, by the time of their removal: before, they belonged to a user `nobody`. And the
 * priority of the sync that follows a running one, by the name that it has elsewhere.
 */
export const queues: SharedMigration = {
  version: 17,
  name: "queues",
  since: "0.1.0",
  kind: "contract",
  stopsBefore: 17,
  rows: {},
  ...inEach(({ integer }) => [
    `alter table connections add column removed_at ${integer}`,
    "alter table connections alter column user_id drop not null",
    // The latest time before their removal that is known.
    `update connections set user_id = null, removed_at = coalesce(sync_finished_at, connected_at)
      where user_id = 'nobody'`,
    "delete from users where id = 'nobody'",
    "alter table sync_jobs rename column asked_again to follow_up_priority",
  ]),
};
