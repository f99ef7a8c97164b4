import { inEach, type SharedMigration, statements } from "../migrate.ts";

const columns = inEach(({ integer, text }) => [
  `alter table installation add column key_fingerprint ${text}`,
  `alter table installation add column backed_up_at ${integer}`,
]);

/**
 * Which key seals the secrets, and when the last good backup was made. On PostgreSQL: room beside rows that are updated in place,
 * texts compressed whatever their length, and dead rows of large tables reused before a fifth of the table is dead.
 */
export const upkeep: SharedMigration = {
  version: 21,
  name: "upkeep",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  sqlite: columns.sqlite,
  async postgres(trx) {
    await columns.postgres(trx);
    await statements(
      ...["connections", "sync_jobs"].map((table) => `alter table ${table} set (fillfactor = 50)`),
      // The smallest target, so that every text is compressed; `main` keeps it in its row if the page has room.
      "alter table contents set (toast_tuple_target = 128)",
      "alter table contents alter column markdown set storage main",
      ...["nodes", "contents", "node_references", "text_blocks", "text_positions", "text_pages"].map(
        (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.05)`,
      ),
    )(trx);
  },
};
