import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { parseArgs, promisify } from "node:util";
import { giveConsent } from "@clew/stand-in/testing";
import pg from "pg";
import { openTestServer } from "../../scripts/postgres.ts";
import { signIn } from "../../scripts/tour/sign-in.ts";
import { spawnClew } from "../support/clew-process.ts";
import { type Notion, settingsFor, startNotion } from "../support/notion.ts";
import { clientOf, waitForSync } from "../support/session.ts";
import { openStage } from "../support/stage.ts";
import {
  changes,
  type Fixture,
  filesBefore,
  fixturesFolder,
  injectFaults,
  provider,
  readAnswers,
  settings,
  workspaceId,
  writeWorkspace,
} from "./fixture.ts";

/*
 * Makes a fixture with an earlier Clew, from a checkout that has its packages installed:
 *
 *     git worktree add ../earlier <commit> && (cd ../earlier && npm install --ignore-scripts)
 *     node test/upgrade/make-fixture.ts ../earlier sqlite-17
 *
 * A name begins with the database and ends with the version of its schema. One on PostgreSQL takes a `pg_dump` that is not older
 * than the server, which TEST_DATABASE_URL names.
 */
const {
  positionals: [checkout = "", name = ""],
} = parseArgs({ allowPositionals: true });
const onPostgres = name.startsWith("postgres-");
const program = join(checkout, "packages/server/src/main.ts");

const stage = await openStage();
try {
  const directory = await mkdtemp(join(tmpdir(), "clew-orchard-"));
  stage.defer(() => rm(directory, { recursive: true }));
  await writeWorkspace(directory, filesBefore);
  const stateFile = join(stage.folder, "stand-in.json");
  const notion = await startNotion(stage, directory, { ...provider, stateFile });
  await injectFaults(notion);
  const database = onPostgres ? await newPostgres() : newFile();
  const places = { DATA_DIR: join(stage.folder, "data"), DATABASE_URL: database.url };
  const clew = await spawnClew({ ...settingsFor(notion), ...settings, ...places }, { program });
  stage.defer(() => clew.kill());
  await clew.ready();
  const made = await live(new URL(`http://localhost:${clew.port}/`), notion, directory);
  await clew.kill();
  const fixture: Fixture = {
    commit: (
      await promisify(execFile)("git", ["-C", checkout, "rev-parse", "--short", "HEAD"])
    ).stdout.trim(),
    ...made,
    provider: JSON.parse(await readFile(stateFile, "utf8")),
  };
  await writeFile(join(fixturesFolder, `${name}.sql`), await database.dump());
  await writeFile(join(fixturesFolder, `${name}.json`), `${JSON.stringify(fixture)}\n`);
} finally {
  await stage.close();
}

/** A new database, and the SQL that makes it again. */
interface NewDatabase {
  readonly url: string;
  dump(): Promise<string>;
}

function newFile(): NewDatabase {
  const path = join(stage.folder, "clew.sqlite");
  return { url: `sqlite:${path}`, dump: async () => dumpSqlite(path) };
}

async function newPostgres(): Promise<NewDatabase> {
  const server = await openTestServer();
  stage.defer(() => server.stop());
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query("create database fixture");
  await admin.end();
  const url = new URL("/fixture", server.url).href;
  return { url, dump: () => dumpPostgres(url) };
}

/** Leaves something in each table that an upgrade must carry over. */
async function live(url: URL, notion: Notion, directory: string) {
  const enter = (person: string) =>
    signIn(url, async (authorizationUrl) => {
      const callback = new URL(await giveConsent(authorizationUrl, { person }));
      // Clew's public address is not where it listens.
      return new URL(`${callback.pathname}${callback.search}`, url).href;
    });
  const pomona = await enter("Pomona");
  const client = clientOf(url, pomona);
  await waitForSync(url, pomona);
  const scopes = ["graph:search", "graph:read", "graph:neighbors"] as const;
  const create = (name: string) => client.createServiceToken({ name, scopes, workspace_ids: [workspaceId] });
  const { token } = await create("agent");
  await client.rotateServiceToken({ id: (await create("script")).id, overlap_hours: 24 });
  await client.revokeServiceToken({ id: (await create("lost")).id });
  await clientOf(url, pomona).signOut({ refresh: (await enter("Pomona")).refresh });
  // The second sign-in has requested a sync.
  await waitForSync(url, pomona);

  const vertumnus = await enter("Vertumnus");
  await waitForSync(url, vertumnus);

  await writeWorkspace(directory, changes);
  await notion.reload();
  await client.startSync({ id: workspaceId });
  await waitForSync(url, pomona);
  const answers = await readAnswers(url, { token, access: pomona.access });
  // Last, so that most of the removal is still to be done.
  await clientOf(url, vertumnus).disconnectWorkspace({ id: workspaceId });
  return { madeAt: Date.now(), token, refresh: pomona.refresh, answers };
}

/** The SQL that makes a database file again. Rows follow the tables, and indexes and triggers the rows. */
function dumpSqlite(path: string): string {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const schemaOf = (types: string) =>
      file
        .prepare(`select name, sql from sqlite_schema where type in (${types}) and sql is not null
          and name not like 'sqlite_%' order by rowid`)
        .all();
    const tables = schemaOf("'table'");
    const rowsOf = (table: SQLOutputValue | undefined) =>
      file
        .prepare(`select * from "${table}"`)
        .all()
        .map((row) => `insert into "${table}" values (${Object.values(row).map(literal).join(", ")})`);
    const statements = [
      ...tables.map(({ sql }) => sql),
      ...tables.flatMap(({ name }) => rowsOf(name)),
      // The inserts above have filled it.
      "delete from sqlite_sequence",
      ...rowsOf("sqlite_sequence"),
      ...schemaOf("'index', 'trigger'").map(({ sql }) => sql),
    ];
    return `${statements.join(";\n")};\n`;
  } finally {
    file.close();
  }
}

function literal(value: SQLOutputValue): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString("hex")}'` : String(value);
}

async function dumpPostgres(url: string): Promise<string> {
  const options = ["--inserts", "--no-owner", "--no-privileges", "--no-comments", url];
  const { stdout } = await promisify(execFile)("pg_dump", options);
  // Without comments, lines for psql, and settings, which would last in a session that a pooler shares.
  return stdout.replaceAll(/^(?:\\.*|--.*|SET .*|SELECT pg_catalog\.set_config.*)\n/gm, "");
}
