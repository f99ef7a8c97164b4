import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * The rows of nodes no longer say which run saw them, so that a sync that finds nothing writes none. Only the nodes that a
 * sync looked up are stored, apart from those rows, for the run that resumes it.
 */
export const sightings: SharedMigration = {
  version: 20,
  name: "sightings",
  since: "0.1.0",
  kind: "contract",
  stopsBefore: 20,
  rows: { nodes: "rewrites" },
  ...inEach(({ integer, bytes, tableOptions }) => [
    "alter table nodes drop column run",
    "alter table connections drop column run",
    "alter table crawl_checkpoints drop column first_run",
    `create table looked_up_nodes (
      connection_id ${integer} not null references connections (id) on delete cascade,
      id ${bytes} not null,
      constraint looked_up_nodes_key primary key (connection_id, id)
    ) ${tableOptions}`,
  ]),
};
