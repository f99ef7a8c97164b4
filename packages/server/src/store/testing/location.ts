import { createHash, randomBytes } from "node:crypto";
import { existsSync, statfsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type DatabaseLocation, parseLocation } from "../../model/database-location.ts";
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

/** The same for a test of what sessions of PostgreSQL keep: a pooler in transaction mode keeps nothing of them. */
export const hasPooler =
  poolerPort !== undefined && "a pooler stands between Clew and the sessions of PostgreSQL";

/** The same for a simulation: it is about time, and what it writes takes minutes on a server. */
export const isSimulation = onPostgres && "it simulates long syncs, which the database does not change";

/** The location of a new, empty database of a test's own. `remove` deletes it, or its contents. */
export interface ScratchLocation {
  readonly location: DatabaseLocation;
  /** The location as DATABASE_URL has it. */
  readonly url: string;
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
    return { ...located(`sqlite:${path}`), remove, endConnections: async () => {} };
  }
  const database = isEmpty ? await createDatabase(server, "template1") : await migratedDatabase(server);
  return {
    ...located(pooled(urlOn(server, database), poolerPort)),
    remove: () => (isEmpty ? dropDatabase(server, database) : emptyOrDrop(server, database)),
    endConnections: () =>
      administer(
        server,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
      ),
  };
}

const located = (url: string) => ({ url, location: parseLocation(url) });

/** The path of a database in a file. */
export function pathOf(location: DatabaseLocation): string {
  if (location.kind !== "sqlite") throw new Error("The database is not in a file");
  return location.path;
}

/** The folder in which Linux has a file system in memory. */
const memoryFolder = "/dev/shm";

/** In memory where there is room: a commit waits for a disk, and nothing that a test writes has to last. */
export const scratchRoot = freeBytesIn(memoryFolder) > 2 ** 30 ? memoryFolder : tmpdir();

/** The folder for data of whole servers: campaigns and benchmarks start them too, and wait for a disk as people do. */
export const dataRoot = process.env.NODE_TEST_CONTEXT === undefined ? tmpdir() : scratchRoot;

function freeBytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function newFile() {
  const folder = await mkdtemp(join(scratchRoot, "clew-store-"));
  return { path: join(folder, "clew.sqlite"), remove: () => removeFolder(folder) };
}

/** Removes a folder. What a test leaves open, such as a thread, may write a file into it at the same moment. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

let migratedFile: Promise<Uint8Array> | null = null;

/** The content of a database file that is migrated already. */
async function makeMigratedFile(): Promise<Uint8Array> {
  const { path, remove } = await newFile();
  await (await openDatabase({ location: { kind: "sqlite", path } })).close();
  const content = await readFile(path);
  await remove();
  return content;
}

/** A database's URL as it is behind a pooler. */
export function pooled(url: string, port: string | undefined): string {
  if (port === undefined) return url;
  const behind = new URL(url);
  behind.host = `127.0.0.1:${port}`;
  behind.searchParams.set("pgbouncer", "true");
  return behind.href;
}

async function createDatabase(url: string, from: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(url, `create database ${name} template ${from}`);
  return name;
}

const dropDatabase = (url: string, name: string) =>
  administer(url, `drop database if exists ${name} with (force)`);

/** Databases of ended tests, empty again: using one takes a fifth of the time that creating and dropping one takes. */
const emptied: string[] = [];

if (server !== undefined) {
  after(async () => {
    for (const name of emptied.splice(0)) await dropDatabase(server, name);
  });
}

let template: Promise<string> | null = null;

/** The schema of a new database, as `schemaDigest` has it: copies of the template have its ids. */
let newSchema: string | null = null;

async function migratedDatabase(url: string): Promise<string> {
  const known = emptied.pop();
  if (known !== undefined) return known;
  template ??= makeTemplate(url);
  const created = await createDatabase(url, await template);
  newSchema ??= await administer(urlOn(url, created), schemaDigest);
  return created;
}

/** Empties a database for the next test, or drops it if its schema has changed or a connection to it is open. */
async function emptyOrDrop(url: string, name: string): Promise<void> {
  const isEmpty = await administer(urlOn(url, name), async (client) => {
    if ((await schemaDigest(client)) !== newSchema || !(await isAlone(client))) return false;
    const { rows } = await client.query<{ tablename: string }>(
      "select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'",
    );
    const deletions = rows.map(({ tablename }) => `delete from ${tablename};`);
    // Without foreign keys the order of tables does not matter.
    await client.query(`set session_replication_role = replica; ${deletions.join(" ")}`);
    // A bucket gives out ids of its own.
    await client.query(
      "select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences where schemaname = 'public'",
    );
    return true;
  }).catch(() => false);
  if (isEmpty) emptied.push(name);
  else await dropDatabase(url, name);
}

async function schemaDigest(client: pg.Client): Promise<string> {
  // Smaller ids are those of PostgreSQL itself.
  const { rows } = await client.query<{ digest: string }>(`
    select md5(string_agg(part, ',' order by part)) as digest from (
      select concat_ws(' ', attrelid, attname, atttypid) as part from pg_attribute where attrelid >= 16384
      union all select concat_ws(' ', oid, relname, relkind) from pg_class where oid >= 16384
      union all select concat_ws(' ', oid, conname, convalidated) from pg_constraint where oid >= 16384
      union all select concat_ws(' ', oid, tgname, tgenabled) from pg_trigger where oid >= 16384
      union all select concat_ws(' ', oid, proname) from pg_proc where oid >= 16384
      union all select concat_ws(' ', version, name) from schema_migrations
    ) as parts`);
  return rows[0]?.digest ?? "";
}

/** Whether no other connection to the database is left. One that was closed just now may need a moment to end. */
async function isAlone(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    if (rowCount === 0) return true;
    await setTimeout(5);
  }
  return false;
}

/** A database that is migrated already: copying it takes a fifth of the time. Its name says which migrations made it. */
async function makeTemplate(url: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of ["../postgres/migrations/", "../migrations/"]) {
    const folder = new URL(path, import.meta.url);
    for (const file of (await readdir(folder)).sort()) hash.update(await readFile(new URL(file, folder)));
  }
  const name = `template_${hash.digest("hex").slice(0, 16)}`;
  await administer(url, async (client) => {
    // Of several test processes one makes it.
    await client.query("select pg_advisory_lock(1)");
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    await client.query(`drop database if exists ${name}_unfinished`);
    await client.query(`create database ${name}_unfinished`);
    await (await openDatabase({ location: parseLocation(urlOn(url, `${name}_unfinished`)) })).close();
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
  });
  return name;
}

function urlOn(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** A connection of a test's own to a PostgreSQL database. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "test" });
  await client.connect();
  return client;
}

function administer(url: string, statement: string): Promise<void>;
function administer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result>;
async function administer(
  url: string,
  work: string | ((client: pg.Client) => Promise<unknown>),
): Promise<unknown> {
  const client = await connectTo(url);
  try {
    return await (typeof work === "string" ? client.query(work) : work(client));
  } finally {
    await client.end();
  }
}
