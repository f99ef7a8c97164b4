import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { requireBucket } from "../buckets/buckets.ts";
import { type Config, readConfig } from "../config/config.ts";
import { graphFilePath, graphFolder, requireDataDirVisible } from "../config/data-dir.ts";
import type { Environment } from "../config/read-settings.ts";
import type { RemovalServices } from "../connections/remove.ts";
import { type DatabaseLocation, describeLocation } from "../model/database-location.ts";
import type { Clock, RandomBytes } from "../model/runtime.ts";
import { reasonOf } from "../model/thrown.ts";
import { openSecrets } from "../secrets/open-secrets.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { databaseExists, inspectDatabase, openDatabase } from "../store/database.ts";
import { type Database, DatabaseError } from "../store/port.ts";
import { requireFingerprint } from "../store/queries/installation.ts";
import { logUpgrade } from "../store/upgrade.ts";

/** The parts of the process that commands use. */
export interface CliContext {
  readonly env: Environment;
  /** The names in `env` whose values come from the env file. */
  readonly fromEnvFile: ReadonlySet<string>;
  /** In place of the clocks of the database and of this machine, for tests. */
  readonly clock?: Clock;
  readonly random: RandomBytes;
  /** Writes a line to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line of the log to standard error. */
  readonly writeLog: (line: string) => void;
}

/** A command failed. The message is for the operator and complete. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** A bucket of the installation that a command works on, possibly while Clew is running. */
export interface Installation {
  /** From 1, by its place in DATABASE_URL. */
  readonly number: number;
  readonly config: Config;
  readonly database: Database;
  /** The clock of the database. */
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/**
 * Opens the installation that the settings name, of several buckets the home bucket, runs `work` and closes it. Throws
 * `CommandError` if there is none, so that a command with the wrong folder does not create an empty installation.
 */
export function withInstallation<Result>(
  context: CliContext,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  return withLocations(
    context,
    (locations) => locations.slice(0, 1),
    async ([home]) => {
      if (home === undefined) throw new Error("There is no database among the settings");
      return work(home);
    },
  );
}

/** Opens all buckets of the installation, in order: the only database if there is one alone. Otherwise as `withInstallation`. */
export function withBuckets<Result>(
  context: CliContext,
  work: (buckets: readonly Installation[]) => Promise<Result>,
): Promise<Result> {
  return withLocations(context, (locations) => locations, work);
}

/** Looks in one bucket after the other, until one has it; null if none does. */
export async function firstOf<Found>(
  buckets: readonly Installation[],
  find: (bucket: Installation) => Promise<Found | null>,
): Promise<Found | null> {
  for (const bucket of buckets) {
    const found = await find(bucket);
    if (found !== null) return found;
  }
  return null;
}

async function withLocations<Result>(
  context: CliContext,
  choose: (locations: readonly DatabaseLocation[]) => readonly DatabaseLocation[],
  work: (buckets: readonly Installation[]) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(context.env);
  await requireDatabase(config);
  const opened: Installation[] = [];
  try {
    for (const [index, location] of choose(config.databaseLocations).entries()) {
      // One that no Clew has served yet has nobody in it.
      if (index > 0 && !(await databaseExists(location))) continue;
      opened.push(await openBucket(context, config, location, index + 1));
    }
    return await work(opened);
  } catch (error) {
    const away =
      error instanceof DatabaseError
        ? undefined
        : opened.find(({ database }) => database.isUnavailable(error));
    if (away === undefined) throw error;
    throw new DatabaseError(
      "unreachable",
      `The database ${describeLocation(away.database.location)} cannot be used now: ${reasonOf(error)}.`,
      { cause: error },
    );
  } finally {
    for (const { database } of opened) await database.close();
  }
}

async function openBucket(
  context: CliContext,
  config: Config,
  location: DatabaseLocation,
  number: number,
): Promise<Installation> {
  const { clock, random } = context;
  const database = await openDatabase({ location, ...(clock && { clock }) });
  try {
    await reportUpgrade(context, database);
    await requireBucket(database, number);
    const secrets = await openSecrets(config, database, random);
    return { number, config, database, clock: database.clock, secrets };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Throws `CommandError` if there is no database. */
export async function requireDatabase(config: Config): Promise<void> {
  if (await databaseExists(config.databaseLocation)) return;
  // A folder of another user shows no file.
  await requireDataDirVisible(config);
  throw new CommandError(
    `There is no database at ${describeLocation(config.databaseLocation)}. Set DATA_DIR or DATABASE_URL to those of the installation.`,
  );
}

/** The path of the database. Throws `CommandError` with what to do instead if it is on a server. */
export function requireFile({ databaseLocation }: Config, instead: string): string {
  if (databaseLocation.kind === "sqlite") return databaseLocation.path;
  throw new CommandError(`The database is on a PostgreSQL server. ${instead}`);
}

/** Throws `CommandError` with what is wrong in a database, after `problem`. Returns its schema version. */
export function requireIntact(path: string, problem: string): number | null {
  const { schemaVersion, faults } = inspectDatabase(path);
  if (faults.length > 0) throw new CommandError(`${problem}: ${faults.join("; ")}.`);
  return schemaVersion;
}

/** Deletes a database, if it exists, with the files that SQLite and Clew keep beside it. */
export async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm", ".unfinished"]) await rm(path + suffix, { force: true });
}

/** The log of a command. Its library is imported here, because other commands start sooner without it. */
export async function openLog({ writeLog }: CliContext) {
  const { pino } = await import("pino");
  return pino({ base: null }, { write: writeLog });
}

/**
 * The services with which a command removes connections. It has no syncs or graphs in memory to stop; a running Clew
 * notices the commit. Of files of graphs it deletes those in its own DATA_DIR.
 */
export async function removalServices(
  context: CliContext,
  { config, database, secrets, clock }: Installation,
): Promise<RemovalServices> {
  const log = await openLog(context);
  const folder = graphFolder(config.dataDir, await requireFingerprint(database.read));
  const forget = (connectionId: number) => {
    try {
      rmSync(graphFilePath(folder, connectionId), { force: true });
    } catch (err) {
      log.warn(
        { connectionId, err },
        "failed to delete the file of a graph; the next start of Clew deletes it",
      );
    }
  };
  return { database, secrets, clock, log, sync: { abandon: async () => {} }, graphs: { forget } };
}

/** Writes to the log which migration opening a database ran, if any, and the way back. */
async function reportUpgrade(context: CliContext, { location, upgrade }: Database): Promise<void> {
  if (upgrade !== null) logUpgrade(await openLog(context), location, upgrade);
}

/** Migrates the database at a location, if it is not up to date, and logs it. */
export async function bringUpToDate(context: CliContext, location: DatabaseLocation): Promise<void> {
  const database = await openDatabase({ location });
  try {
    await reportUpgrade(context, database);
  } finally {
    await database.close();
  }
}
