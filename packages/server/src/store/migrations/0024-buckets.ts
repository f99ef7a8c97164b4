import { inEach, type SharedMigration } from "../migrate.ts";

/** Which bucket a database is, of which installation; and, in the home bucket, in which bucket each person lives. */
export const buckets: SharedMigration = {
  version: 24,
  name: "buckets",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  ...inEach(({ integer, bytes, tableOptions }) => [
    `alter table installation add column bucket ${integer}`,
    `alter table installation add column home_fingerprint ${bytes}`,
    `create table people (
      person_hash ${bytes} not null,
      bucket ${integer} not null,
      constraint people_key primary key (person_hash)
    ) ${tableOptions}`,
    "create index people_of_bucket on people (bucket)",
  ]),
};
