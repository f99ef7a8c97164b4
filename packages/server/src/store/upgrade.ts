import { CompiledQuery } from "kysely";
import { type DatabaseLocation, describeLocation } from "../model/database-location.ts";
import { reasonOf } from "../model/thrown.ts";
import { backendOf } from "./choose-backend.ts";
import { type Migration, newestVersion, readSchemaMark, type SchemaMark } from "./migrate.ts";
import { DatabaseError, type ReadHandle, type Upgrade } from "./port.ts";

/* The migration that a database would get, and the way back from one that it got, for operators (OPS-4, OPS-11). */

/** The migration that this program would run. */
export interface UpgradePlan {
  /** The schema that the database has. */
  readonly mark: SchemaMark;
  /** The schema of this program. */
  readonly newest: number;
  readonly steps: readonly PlannedStep[];
  /** The bytes of the copy that is made before at most, and those that are free there; null if none is made. */
  readonly copy: { readonly bytes: number; readonly free: number } | null;
}

/** A step, and the rows that it goes through. */
interface PlannedStep {
  readonly version: number;
  readonly name: string;
  /** Programs that have the database open stop if their newest schema is below this one. */
  readonly stopsBefore: number;
  readonly tables: readonly { readonly table: string; readonly how: string; readonly rows: number }[];
}

/** Reads what opening the database would do. Changes nothing. Throws `DatabaseError` if it cannot be read. */
export async function planUpgrade(location: DatabaseLocation): Promise<UpgradePlan> {
  const { database, address } = backendOf(location);
  const { openReader, released, roomForCopy } = await database();
  const { read, close } = openReader(address);
  try {
    const mark = await readSchemaMark(read);
    const steps: PlannedStep[] = [];
    for (const step of released)
      if (step.version > mark.version) steps.push({ ...step, ...(await facts(read, step)) });
    const copy = steps.length > 0 ? await roomForCopy(address) : null;
    return { mark, newest: newestVersion(released), steps, copy };
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      "unusable",
      `${describeLocation(location)} cannot be read as a database of Clew's: ${reasonOf(error)}. \`clew verify\` looks closer.`,
      { cause: error },
    );
  } finally {
    await close();
  }
}

async function facts(
  read: ReadHandle,
  step: Migration,
): Promise<Pick<PlannedStep, "stopsBefore" | "tables">> {
  const tables: PlannedStep["tables"][number][] = [];
  for (const [table, how] of Object.entries(step.rows)) {
    // An earlier schema may have another name for it, or none.
    const rows = await countRows(read, table).catch(() => null);
    if (rows !== null) tables.push({ table, how, rows });
  }
  return { stopsBefore: step.kind === "contract" ? step.stopsBefore : 0, tables };
}

async function countRows(read: ReadHandle, table: string): Promise<number> {
  const query = CompiledQuery.raw(`select count(*) as rows from ${table}`);
  const { rows } = await read.executeQuery<{ rows: number }>(query);
  return rows[0]?.rows ?? 0;
}

/** The way back to the schema `from`, as a sentence with the commands. */
export function wayBack(location: DatabaseLocation, { from, copy }: Pick<Upgrade, "from" | "copy">): string {
  if (location.kind === "postgres")
    return `the way back to schema ${from}: stop every instance, restore the dump from before the upgrade into an empty database, name that in DATABASE_URL, and start the earlier version`;
  const file = copy === null ? "<a backup from before the upgrade>" : shellWord(copy);
  return `the way back to schema ${from}: stop Clew, install the earlier version, and run with it: clew restore ${file}`;
}

/** The command that dumps a database on a server. Its password comes from PGPASSWORD or .pgpass. */
export function dumpCommand(url: string, version: number): string {
  const address = new URL(url);
  address.password = "";
  // Other parameters are Clew's own.
  for (const name of [...address.searchParams.keys()])
    if (!name.startsWith("ssl")) address.searchParams.delete(name);
  return `pg_dump --format=custom --exclude-table-data='text_*' --file=clew-schema-${version}.dump ${shellWord(address.href)}`;
}

/** A word that a shell reads as it is. */
function shellWord(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Writes to a log what a migration did, and the way back. */
export function logUpgrade(log: UpgradeLog, location: DatabaseLocation, upgrade: Upgrade | null): void {
  if (upgrade === null) return;
  const { from, to, steps, copy } = upgrade;
  for (const { version, name, milliseconds, rows } of steps)
    log.info({ version, name, ms: Math.round(milliseconds), rows }, "ran a migration");
  const ms = Math.round(steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  log.info({ from, to, ms, copy }, `migrated ${describeLocation(location)} from schema ${from} to ${to}`);
  log.info(wayBack(location, upgrade));
}

interface UpgradeLog {
  info(message: string): void;
  info(fields: object, message: string): void;
}
