import { type Kysely, sql } from "kysely";
import { DatabaseError } from "../../error.ts";
import type { ReadHandle } from "../../port.ts";
import type { Tables } from "../../schema.ts";
import type { Migration } from "./migration.ts";

/**
 * Brings the schema to the newest version, all steps or none. `trx` must hold the database's write lock, so that of
 * several processes that start at once one migrates and the others find it done (OPS-4).
 * `backup` runs before the first step on a database that already holds something.
 * Throws `DatabaseError` `newer_schema` where the database is ahead of the program.
 */
export async function migrate(
  trx: Kysely<Tables>,
  migrations: readonly Migration[],
  backup: (version: number) => Promise<void>,
): Promise<void> {
  await sql`create table if not exists schema_migrations (version integer primary key, name text not null)`.execute(
    trx,
  );
  const current = await schemaVersion(trx);
  const newest = newestVersion(migrations);
  if (current > newest) {
    throw new DatabaseError(
      "newer_schema",
      `The database has schema ${current}, this program knows schemas up to ${newest}: run the Clew that wrote it, or restore a backup`,
    );
  }
  const pending = migrations.filter(({ version }) => version > current);
  if (pending.length > 0 && current > 0) await backup(current);
  for (const migration of pending) {
    // A migration knows no row types: those are the newest schema's.
    await migration.up(trx.$omitTables<keyof Tables>());
    await trx
      .insertInto("schema_migrations")
      .values({ version: migration.version, name: migration.name })
      .execute();
  }
}

/** The schema's version; 0 before the first migration. */
export async function schemaVersion(db: ReadHandle): Promise<number> {
  const row = await db
    .selectFrom("schema_migrations")
    .select(({ fn }) => fn.max("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The version that `migrations` lead to. */
export function newestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}
