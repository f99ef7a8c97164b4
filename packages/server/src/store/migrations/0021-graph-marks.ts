import { type SharedMigration, statements } from "../migrate.ts";

/** Says of each revision of a graph which one it is: after a restore, the same number may come again with another graph. */
export const graphMarks: SharedMigration = {
  version: 21,
  name: "graph-marks",
  since: "0.1.0",
  kind: "expand",
  rows: { connections: "rewrites" },
  sqlite: statements(
    "alter table connections add column graph_mark text",
    "update connections set graph_mark = lower(hex(randomblob(16)))",
  ),
  postgres: statements(
    'alter table connections add column graph_mark text collate "C"',
    "update connections set graph_mark = gen_random_uuid()::text",
  ),
};
