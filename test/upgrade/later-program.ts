import type { Effect, Migration } from "../../packages/server/src/store/migrate.ts";
import { released as onPostgres } from "../../packages/server/src/store/postgres/migrations/released.ts";
import { released as onSqlite } from "../../packages/server/src/store/sqlite/migrations/released.ts";
import { laterMigration } from "../../packages/server/src/store/testing/later-migration.ts";

// Loaded before Clew: makes it a later program, with a migration for each effect in LATER_MIGRATIONS.
const effects = JSON.parse(process.env.LATER_MIGRATIONS ?? "[]") as readonly Effect[];
// It is a list that nothing has read yet.
for (const released of [onSqlite, onPostgres])
  (released as Migration[]).push(...effects.map((effect, index) => laterMigration(effect, index + 1)));
