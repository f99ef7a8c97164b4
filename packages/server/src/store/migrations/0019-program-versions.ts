import { firstMarked, inEach, type SharedMigration } from "../migrate.ts";

/** Which program brought a step, and which programs it stops, so that those that are open see it. */
export const programVersions: SharedMigration = {
  version: firstMarked,
  name: "program-versions",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  ...inEach(({ integer, text }) => [
    `alter table schema_migrations add column program ${text}`,
    `alter table schema_migrations add column stops_before ${integer} not null default 0`,
  ]),
};
