import { createHash, randomBytes } from "node:crypto";
import { existsSync, statfsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openDatabase } from "../database.ts";
import { released as releasedOnPostgres } from "../postgres/migrations/released.ts";
import { released as releasedOnSqlite } from "../sqlite/migrations/released.ts";

/** The server on which tests make their databases; undefined for SQLite. Any database of it, as a role that may make others. */
const server = process.env.TEST_DATABASE_URL;

/** The port of a pooler in transaction mode, on loopback, through which tests use their databases; undefined without one. */
const poolerPort = process.env.TEST_POOLER_PORT;

/** Whether the tests of this process use PostgreSQL. */
export const onPostgres = server !== undefined;

/** The schema's history. */
export const released = onPostgres ? releasedOnPostgres : releasedOnSqlite;

/** Why a test of what only files have is skipped; false if it is not. */
export const needsFile = onPostgres && "it is about SQLite's files";

/** The same for a test of what SQLite's counter of commits saves. */
export const needsCounter = onPostgres && "PostgreSQL does not tell whether there was a commit";

/** The same for a test of prepared statements: a pooler in transaction mode keeps none. */
export const hasPooler = poolerPort !== undefined && "statements are not prepared behind a pooler";

/** The same for a simulation: it is about time, and what it writes takes minutes on a server. */
export const isSimulation = onPostgres && "it simulates long syncs, which the database does not change";

/** Where a new, empty database of a test's own is. `remove` deletes it. */
export interface ScratchLocation {
  readonly location: string;
  remove(): Promise<void>;
  /** Ends all connections to it, as a server does that restarts. */
  endConnections(): Promise<void>;
}

/** A location whose tables are made already, which is quicker, unless it is to be empty. */
export async function newLocation({ isEmpty = false } = {}): Promise<ScratchLocation> {
  if (server === undefined) {
    const { path, remove } = await newFile();
    if (!isEmpty) {
      migratedFile ??= makeMigratedFile();
      await writeFile(path, await migratedFile, { mode: 0o600 });
    }
    return { location: path, remove, endConnections: async () => {} };
  }
  const name = `test_${randomBytes(8).toString("hex")}`;
  if (!isEmpty) template ??= makeTemplate(server);
  await administer(server, `create database ${name} template ${isEmpty ? "template1" : await template}`);
  return {
    location: pooled(locationOn(server, name), poolerPort),
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
    endConnections: () =>
      administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`),
  };
}

/** Where Linux has a file system in memory. */
const memoryFolder = "/dev/shm";

/** In memory where there is room: a commit waits for a disk, and nothing that a test writes has to last. */
export const scratchRoot = freeBytesIn(memoryFolder) > 2 ** 30 ? memoryFolder : tmpdir();

function freeBytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function newFile() {
  const folder = await mkdtemp(join(scratchRoot, "clew-store-"));
  return { path: join(folder, "clew.sqlite"), remove: () => rm(folder, { recursive: true, force: true }) };
}

let migratedFile: Promise<Uint8Array> | null = null;

/** The content of a database file that is migrated already. */
async function makeMigratedFile(): Promise<Uint8Array> {
  const { path, remove } = await newFile();
  await (await openDatabase({ location: path })).close();
  const content = await readFile(path);
  await remove();
  return content;
}

/** A database's location as it is behind a pooler. */
export function pooled(location: string, port: string | undefined): string {
  if (port === undefined) return location;
  const url = new URL(location);
  url.host = `127.0.0.1:${port}`;
  url.searchParams.set("pgbouncer", "true");
  return url.href;
}

let template: Promise<string> | null = null;

/** A database that is migrated already: copying it takes a fifth of the time. Its name says which migrations made it. */
async function makeTemplate(url: string): Promise<string> {
  const folder = new URL("../postgres/migrations/", import.meta.url);
  const hash = createHash("sha256");
  for (const file of (await readdir(folder)).sort()) hash.update(await readFile(new URL(file, folder)));
  const name = `template_${hash.digest("hex").slice(0, 16)}`;
  await administer(url, async (client) => {
    // Of several test processes one makes it.
    await client.query("select pg_advisory_lock(1)");
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    await client.query(`drop database if exists ${name}_unfinished`);
    await client.query(`create database ${name}_unfinished`);
    await (await openDatabase({ location: locationOn(url, `${name}_unfinished`) })).close();
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
  });
  return name;
}

function locationOn(url: string, database: string): string {
  const location = new URL(url);
  location.pathname = `/${database}`;
  return location.href;
}

/** A connection of a test's own to a PostgreSQL database. */
export async function connectTo(location: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: location, application_name: "test" });
  await client.connect();
  return client;
}

async function administer(url: string, work: string | ((client: pg.Client) => Promise<void>)): Promise<void> {
  const client = await connectTo(url);
  try {
    await (typeof work === "string" ? client.query(work) : work(client));
  } finally {
    await client.end();
  }
}
