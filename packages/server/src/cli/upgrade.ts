import manifest from "../../package.json" with { type: "json" };
import { readConfig } from "../config/config.ts";
import { prepareDataDir } from "../config/data-dir.ts";
import { type DatabaseLocation, describeLocation } from "../model/database-location.ts";
import { databaseExists, openDatabase } from "../store/database.ts";
import { newerSchema } from "../store/migrate.ts";
import { DatabaseError } from "../store/port.ts";
import { dumpCommand, planUpgrade, type UpgradePlan, wayBack } from "../store/upgrade.ts";
import { type CliContext, requireDatabase } from "./installation.ts";

/** Migrates the database to the schema of this version, as `serve` does (OPS-4). Creates a missing database. */
export async function migrate(context: CliContext): Promise<void> {
  const config = readConfig(context.env);
  await prepareDataDir(config);
  for (const location of config.databaseLocations) await migrateDatabase(context, location);
}

async function migrateDatabase({ print }: CliContext, location: DatabaseLocation): Promise<void> {
  const database = await openDatabase({ location });
  try {
    const { version } = await database.schemaState();
    const { upgrade } = database;
    print(`${describeLocation(location)} has schema ${version}.`);
    if (upgrade === null) return;
    for (const { version, name, milliseconds, rows } of upgrade.steps)
      print(`  ${version} ${name}: ${Math.round(milliseconds)} ms, ${rows} rows changed`);
    print(`If this version does not work for you, ${wayBack(location, upgrade)}`);
  } finally {
    await database.close();
  }
}

/**
 * Says which schema the database has, what this version would do to it, and what that takes. Changes nothing. Throws
 * `DatabaseError` if this version refuses it (`newer_schema`, `unusable`), or there is no room for the copy (`unreachable`).
 */
export async function checkUpgrade(context: CliContext): Promise<void> {
  const config = readConfig(context.env);
  await requireDatabase(config);
  for (const [index, location] of config.databaseLocations.entries())
    if (index === 0 || (await databaseExists(location))) await checkDatabase(context, location);
}

async function checkDatabase({ print }: CliContext, location: DatabaseLocation): Promise<void> {
  const plan = await planUpgrade(location);
  const { mark, newest, steps, copy } = plan;
  print(`${describeLocation(location)} has schema ${mark.version}, from ${writer(mark)}.`);
  print(`This is Clew ${manifest.version}, with schema ${newest}.`);
  if (mark.version > newest) throw newerSchema(mark, newest);
  if (steps.length === 0) {
    print("There is nothing to migrate.");
    return;
  }
  print("When it starts, it runs these migrations, all or none:");
  for (const step of steps) print(`  ${describeStep(step)}`);
  print(`That takes roughly ${describeSeconds(plan, location)}. ${besides(plan)}`);
  if (copy === null) print(`Make a dump first: ${dumpOf(location, mark.version)}`);
  else
    print(
      `Before that it copies the database: up to ${megabytes(copy.bytes)}, and ${megabytes(copy.free)} are free there.`,
    );
  print(`Afterwards, ${wayBack(location, { from: mark.version, copy: null })}`);
  print("Nothing was changed.");
  const fault = copy === null ? null : roomFault(copy, describeLocation(location));
  if (fault !== null) throw new DatabaseError("unreachable", fault);
}

function writer({ program }: UpgradePlan["mark"]): string {
  return program === null ? "a Clew that did not record its version, 0.1.0 or earlier" : `Clew ${program}`;
}

function describeStep({ version, name, tables }: UpgradePlan["steps"][number]): string {
  const work = tables.map(({ table, how, rows }) => `${how} ${rows} rows of ${table}`);
  return [`${version} ${name}`, ...work].join(", ");
}

/** Rows that a migration goes through in a second, and bytes that are copied: as measured on two busy cores (docs/upgrade.md). */
const rowsPerSecond = { sqlite: 100_000, postgres: 8_000 };
const bytesPerSecond = 50e6;

function describeSeconds({ steps, copy }: UpgradePlan, { kind }: DatabaseLocation): string {
  const rows = steps.flatMap(({ tables }) => tables).reduce((sum, table) => sum + table.rows, 0);
  const seconds = Math.ceil(rows / rowsPerSecond[kind] + (copy?.bytes ?? 0) / bytesPerSecond);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Says whether other instances may run meanwhile. */
function besides({ mark, steps }: UpgradePlan): string {
  if (mark.program === null)
    return "Stop all other instances first: the version that wrote the database does not notice a migration.";
  const stopped = Math.max(...steps.map(({ stopsBefore }) => stopsBefore));
  if (stopped > mark.version)
    return `Instances with schema ${mark.version} stop serving when it has run: replace them with this version.`;
  const earlier = stopped === 0 ? "" : ` Those with a schema before ${stopped} stop.`;
  return `Instances with schema ${mark.version} go on beside it.${earlier}`;
}

function dumpOf(location: DatabaseLocation, version: number): string {
  return location.kind === "sqlite" ? "" : dumpCommand(location.url, version);
}

/** Why there is no room for the copy, and as much again for the log of the migration; null if there is. */
export function roomFault({ bytes, free }: NonNullable<UpgradePlan["copy"]>, name: string): string | null {
  const needed = 2 * bytes;
  return free >= needed ? null : `There is too little room: free ${megabytes(needed)} beside ${name}.`;
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
