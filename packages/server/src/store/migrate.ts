import { CompiledQuery, type Kysely, sql } from "kysely";
import manifest from "../../package.json" with { type: "json" };
import { columnTypes, type DialectName } from "./column-types.ts";
import { DatabaseError, type ReadHandle, type Upgrade } from "./port.ts";
import type { Tables } from "./schema.ts";

/** SQL that leads from a schema to the next. Once released it never changes. */
export interface Step {
  /** Ascends. From 14 on, all databases have the same steps. */
  readonly version: number;
  readonly name: string;
  /** Runs in a transaction. It knows no row types: those are the newest schema's. */
  readonly up: (trx: Kysely<Record<never, never>>) => Promise<void>;
}

/**
 * The effect of a step on programs that do not know it and have the database open. `expand`: they go on, reading and writing what
 * they always did, and newer programs understand it. `contract`: those stop whose newest schema is below `stopsBefore`, which
 * is at most the step's own version.
 */
export type Effect =
  | { readonly kind: "expand" }
  | { readonly kind: "contract"; readonly stopsBefore: number };

/** The facts about a step that operators see before it runs. */
interface StepFacts {
  /** The version of Clew that brings it. */
  readonly since: string;
  /** The tables of which it goes through all rows, or most: its time grows with their number. */
  readonly rows: Readonly<Partial<Record<keyof Tables, "rewrites" | "indexes">>>;
}

/** A step with its effect on other programs and its facts. */
export type Migration = Step & StepFacts & Effect;

/** A step that every database takes (migrations/), with what each of them runs. */
export type SharedMigration = Omit<Step, "up"> &
  StepFacts &
  Effect &
  Readonly<Record<DialectName, Step["up"]>>;

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
  return shared.map(({ sqlite, postgres, ...step }) => ({
    ...step,
    up: { sqlite, postgres }[dialect],
  }));
}

/** Steps of the first version, from before programs looked for newer schemas. `rows` has their facts by their names. */
export function unwatched(
  steps: readonly Step[],
  rows: Readonly<Record<string, StepFacts["rows"]>>,
): Migration[] {
  return steps.map((step) => ({
    ...step,
    since: "0.1.0",
    kind: "contract",
    stopsBefore: step.version,
    rows: rows[step.name] ?? {},
  }));
}

/** A step that runs these SQL statements in order. */
export function statements(...list: readonly string[]): Step["up"] {
  return async (trx) => {
    for (const statement of list) await sql.raw(statement).execute(trx);
  };
}

interface MigrateOptions {
  readonly migrations: readonly Migration[];
  /** Runs before the first step on a database that is not new, with the version of its schema. Returns the path of a copy. */
  readonly prepare: (version: number) => Promise<string | null>;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/**
 * Brings the schema to the newest version, all steps or none. `trx` must hold the write lock, so that of several processes
 * that start at once one migrates and the others find it done (OPS-4). Returns what was done; null if nothing was, or the
 * database was new. Throws `DatabaseError` `newer_schema` if a newer program wrote the database.
 */
export async function migrate(
  trx: Kysely<Tables>,
  { migrations, prepare, now }: MigrateOptions,
): Promise<Upgrade | null> {
  await sql`create table if not exists schema_migrations (version integer primary key, name text not null)`.execute(
    trx,
  );
  const from = await schemaVersion(trx);
  const to = newestVersion(migrations);
  if (from > to) throw newerSchema(await readSchemaMark(trx), to);
  const pending = migrations.filter(({ version }) => version > from);
  const copy = pending.length > 0 && from > 0 ? await prepare(from) : null;
  const steps: Upgrade["steps"][number][] = [];
  for (const { version, name, up } of pending) {
    const begun = now();
    const { counted, rows } = countingRows(trx);
    await up(counted.$omitTables<keyof Tables>());
    await trx.insertInto("schema_migrations").values({ version, name }).execute();
    steps.push({ version, name, milliseconds: now() - begun, rows: rows() });
  }
  if (hasMarks(to)) for (const step of pending) await mark(trx, step);
  return from === 0 || steps.length === 0 ? null : { from, to, steps, copy };
}

/** A handle that counts the rows which statements change through it. */
function countingRows(trx: Kysely<Tables>): {
  readonly counted: Kysely<Tables>;
  readonly rows: () => number;
} {
  let rows = 0;
  const counted = trx.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // A statement that reads counts what it returns.
      if (result.rows.length === 0) rows += Number(result.numAffectedRows ?? 0);
      return result;
    },
  });
  return { counted, rows: () => rows };
}

/** The schema whose migration adds the columns of marks. */
export const firstMarked = 19;

/** Whether a schema has marks: which program wrote it, and which programs it stops. */
const hasMarks = (version: number) => version >= firstMarked;

async function mark(trx: Kysely<Tables>, step: Migration): Promise<void> {
  await trx
    .updateTable("schema_migrations")
    .set({
      program: manifest.version,
      stops_before: step.kind === "contract" ? step.stopsBefore : 0,
    })
    .where("version", "=", step.version)
    .execute();
}

/** How a database's schema came to be, as far as it says so. */
export interface SchemaMark {
  /** 0 before the first migration. */
  readonly version: number;
  /** The version of the Clew that migrated it; null for a schema without marks. */
  readonly program: string | null;
  /** Programs stop whose newest schema is below this one. */
  readonly stopsBefore: number;
}

/** Reads the mark of the schema. */
export async function readSchemaMark(db: ReadHandle): Promise<SchemaMark> {
  const version = await schemaVersion(db);
  // Earlier schemas lack the columns.
  if (!hasMarks(version)) return { version, program: null, stopsBefore: 0 };
  const query = CompiledQuery.raw(`select max(version) as version, max(stops_before) as "stopsBefore",
      (select program from schema_migrations order by version desc limit 1) as program from schema_migrations`);
  const { rows } = await db.executeQuery<SchemaMark>(query);
  return rows[0] ?? { version, program: null, stopsBefore: 0 };
}

/** Selects the marks that stop a program with this newest schema, in a statement that costs next to nothing; null before marks. */
export function selectStopping(newest: number): string | null {
  if (!hasMarks(newest)) return null;
  return `select version, program, stops_before as "stopsBefore" from schema_migrations where stops_before > ${newest}`;
}

/** The error of a program that is to open a database with a newer schema. */
export function newerSchema({ version, program }: SchemaMark, newest: number): DatabaseError {
  const writer = program === null ? "a newer Clew" : `Clew ${program}`;
  return new DatabaseError(
    "newer_schema",
    `The database has schema ${version}, which ${writer} wrote; this is Clew ${manifest.version}, which opens schemas up to ${newest}: ` +
      `run ${program === null ? "the Clew that wrote it" : `Clew ${program} or newer`}, or restore a backup from before the upgrade`,
  );
}

/** The schema's version; 0 before the first migration. */
export async function schemaVersion(db: ReadHandle): Promise<number> {
  const query = CompiledQuery.raw("select max(version) as version from schema_migrations");
  const { rows } = await db.executeQuery<{ version: number | null }>(query);
  return rows[0]?.version ?? 0;
}

/** The version that `migrations` lead to. */
export function newestVersion(migrations: readonly Pick<Migration, "version">[]): number {
  return migrations.at(-1)?.version ?? 0;
}
