import { inEach, type SharedMigration } from "../migrate.ts";

/** The map by links of each connection, what the next one starts from, and the lease of the instance that makes it. */
export const maps: SharedMigration = {
  version: 26,
  name: "maps",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  ...inEach(({ integer, text, bytes, tableOptions }) => [
    `create table maps (
      connection_id ${integer} not null primary key references connections (id) on delete cascade,
      worker ${text},
      leased_until ${integer},
      graph_version ${integer},
      digest ${text},
      bytes ${bytes},
      state ${bytes}
    ) ${tableOptions}`,
  ]),
};
