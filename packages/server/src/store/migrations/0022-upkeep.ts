import { inEach, type SharedMigration, statements } from "../migrate.ts";

const columns = inEach(({ integer, text }) => [
  `alter table installation add column key_fingerprint ${text}`,
  `alter table installation add column backed_up_at ${integer}`,
]);

/**
 * Which key seals the secrets, and when the last good backup was made. On PostgreSQL: room beside rows that are updated in place,
 * texts apart from their rows, and dead rows of large tables reused before a fifth of the table is dead.
 */
export const upkeep: SharedMigration = {
  version: 22,
  name: "upkeep",
  since: "0.1.0",
  kind: "expand",
  rows: {},
  sqlite: columns.sqlite,
  async postgres(trx) {
    await columns.postgres(trx);
    await statements(
      ...["connections", "sync_jobs"].map((table) => `alter table ${table} set (fillfactor = 50)`),
      // Texts are stored beside their rows whatever their length, so that an update of another column does not copy them.
      "alter table contents set (toast_tuple_target = 128)",
      ...["digest", "reference_offsets"].map(
        (column) => `alter table contents alter column ${column} set storage main`,
      ),
      ...["nodes", "contents", "node_references", "text_blocks", "text_positions", "text_pages"].map(
        (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.05)`,
      ),
    )(trx);
  },
};
