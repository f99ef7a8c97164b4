import { activityTables } from "../activity-tables.ts";
import { columnTypes } from "../column-types.ts";
import { type SharedMigration, statements } from "../migrate.ts";

/**
 * The activity of service tokens: what they read (APP-9). On SQLite it is in a file of its own (sqlite/activity.ts). The tables are unlogged: backups of the
 * server's files and standby servers get none of their rows, and a crash of the server empties them.
 */
export const activity: SharedMigration = {
  version: 28,
  name: "activity",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  sqlite: statements(),
  postgres: statements(...activityTables("create unlogged table", columnTypes.postgres)),
};
