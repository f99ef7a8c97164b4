import { inEach, type SharedMigration } from "../migrate.ts";

/** Whether the tags of a connection are nodes (SRC-4). Rows of the type `tag` come only after a person has asked for them. */
export const tags: SharedMigration = {
  version: 31,
  name: "tags",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  ...inEach(({ integer }) => [`alter table connections add column tags ${integer} default 0 not null`]),
};
