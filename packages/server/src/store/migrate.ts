import { type Kysely, sql } from "kysely";
import { DatabaseError, type ReadHandle } from "./port.ts";
import type { Tables } from "./schema.ts";

/** One step from a schema to the next. Once released it never changes. */
export interface Migration {
  /** Ascends. From 14 on, all databases have the same steps. */
  readonly version: number;
  readonly name: string;
  /** Runs in a transaction. It knows no row types: those are the newest schema's. */
  readonly up: (trx: Kysely<Record<never, never>>) => Promise<void>;
}

/** A step that every database takes (migrations/), with what each of them runs. */
export interface SharedMigration
  extends Omit<Migration, "up">,
    Readonly<Record<DialectName, Migration["up"]>> {}

/** The databases that Clew can use. */
export type DialectName = "sqlite" | "postgres";

/**
 * How a database names the types of columns, and what follows the columns of a new table. PostgreSQL compares text by its bytes,
 * as SQLite does.
 */
const columnTypes = {
  sqlite: { integer: "integer", text: "text", bytes: "blob", tableOptions: "strict" },
  postgres: { integer: "int8", text: 'text collate "C"', bytes: "bytea", tableOptions: "" },
} as const satisfies Readonly<Record<DialectName, unknown>>;

/** Writes the statements of a step once, with the names that a database has for the types of columns. */
export function inEach(
  write: (
    types: Readonly<Record<"integer" | "text" | "bytes" | "tableOptions", string>>,
  ) => readonly string[],
): Pick<SharedMigration, DialectName> {
  const { sqlite, postgres } = columnTypes;
  return { sqlite: statements(...write(sqlite)), postgres: statements(...write(postgres)) };
}

/** The steps of one database. */
export function stepsOf(dialect: DialectName, shared: readonly SharedMigration[]): Migration[] {
  return shared.map(({ version, name, [dialect]: up }) => ({ version, name, up }));
}

/** A step that runs these SQL statements in order. */
export function statements(...list: readonly string[]): Migration["up"] {
  return async (trx) => {
    for (const statement of list) await sql.raw(statement).execute(trx);
  };
}

/**
 * Brings the schema to the newest version, all steps or none. `trx` must hold the write lock, so that of several processes
 * that start at once one migrates and the others find it done (OPS-4). `backup` runs before the first step on a database that
 * is not new. Throws `DatabaseError` `newer_schema` if a newer program wrote the database.
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
  for (const { version, name, up } of pending) {
    await up(trx.$omitTables<keyof Tables>());
    await trx.insertInto("schema_migrations").values({ version, name }).execute();
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
export function newestVersion(migrations: readonly Pick<Migration, "version">[]): number {
  return migrations.at(-1)?.version ?? 0;
}
