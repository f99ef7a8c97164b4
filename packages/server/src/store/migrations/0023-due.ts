import { inEach, type SharedMigration } from "../migrate.ts";

/**
 * Indexes by which the background tasks find what is due, so that none of them reads a row of each connection every few seconds:
 * syncs by the end of the last one, withdrawn grants, removed connections, grants to revoke, and graphs by when they were published.
 */
export const due: SharedMigration = {
  version: 23,
  name: "due",
  since: "0.1.0",
  kind: "expand",
  rows: { connections: "indexes" },
  ...inEach(({ integer }) => [
    `alter table connections add column published_at ${integer}`,
    `create index connections_by_last_sync on connections (coalesce(sync_finished_at, 0))
      where status = 'active' and sync_state in ('idle', 'failed')`,
    "create index connections_withdrawn on connections (withdrawn_at) where withdrawn_at is not null",
    "create index connections_removed on connections (removed_at, id) where removed_at is not null",
    "create index connections_by_publication on connections (published_at) where published_at is not null",
    "create index connections_of_workspace on connections (workspace_id)",
    "create index revocations_by_turn on revocations (provider, due_at, id)",
  ]),
};
