import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import { openDatabase } from "../store/database.ts";
import type { Migration } from "../store/migrate.ts";
import { textState } from "../store/migrations/0016-text-state.ts";
import { released } from "../store/sqlite/migrations/released.ts";
import { laterMigration, newest } from "../store/testing/later-migration.ts";
import { someConnection } from "../store/testing/scratch.ts";
import { dumpCommand } from "../store/upgrade.ts";
import { testInstallation } from "./testing/installation.ts";
import { roomFault } from "./upgrade.ts";

/** An installation that an earlier program left. */
async function earlierInstallation(t: TestContext) {
  const installation = await testInstallation(t);
  const location = { kind: "sqlite", path: installation.path } as const;
  const migrations = released.filter(({ version }) => version < textState.version);
  await (await openDatabase({ location, migrations })).close();
  return { installation, location };
}

test("OPS-11: `upgrade --check` says what a start would do, and changes nothing", async (t) => {
  const { installation } = await earlierInstallation(t);
  const before = await readFile(installation.path);
  const said = await installation.run("upgrade", "--check");
  for (const line of [
    `${installation.path} has schema 15, from a Clew that did not record its version, 0.1.0 or earlier.`,
    `This is Clew ${manifest.version}, with schema ${newest}.`,
    "  16 text-state, rewrites 0 rows of nodes",
    "  17 queues",
  ])
    assert.ok(said.split("\n").includes(line), line);
  assert.match(said, /Stop all other instances first/);
  assert.match(said, /it copies the database: up to \d+ MB, and \d+ MB are free there/);
  assert.match(said, /the way back to schema 15: .*clew restore/);
  assert.match(said, /Nothing was changed\.$/);
  assert.deepEqual(await readFile(installation.path), before);
  assert.deepEqual(
    (await readdir(installation.folder)).filter((name) => name.includes("before-")),
    [],
  );
});

test("OPS-11: `migrate` says what it did, and the command that it prints leads back", async (t) => {
  const { installation } = await earlierInstallation(t);
  const said = await installation.run("migrate");
  assert.match(said, new RegExp(`has schema ${newest}\\.`));
  assert.match(said, /\n {2}16 text-state: \d+ ms, 0 rows changed\n/);
  const [, command = ""] = /run with it: clew (restore .+)$/.exec(said) ?? [];
  assert.match(command, /^restore \/.+\/clew\.db\.before-schema-16-/);
  assert.equal(
    await installation.run("upgrade", "--check").then((text) => text.split("\n").at(-1)),
    "There is nothing to migrate.",
  );
  await installation.with(({ add }) => add("later"));
  await installation.run(...command.split(" "));
  assert.deepEqual(await installation.with(({ users }) => users()), []);
});

test("OPS-11: a command that migrates on its way logs that, and prints what it always prints", async (t) => {
  const { installation } = await earlierInstallation(t);
  const lines: string[] = [];
  installation.writeLog = (line) => void lines.push(line);
  assert.equal(await installation.run("tokens", "list", "--json"), "[]");
  const messages = lines.map((line) => String(JSON.parse(line).msg));
  assert.ok(messages.includes("ran a migration"));
  assert.ok(messages.some((message) => message.startsWith("the way back to schema 15")));
});

test("OPS-11: a schema of a later version is named with that version", async (t) => {
  const { installation, location } = await earlierInstallation(t);
  const later = laterMigration({ kind: "contract", stopsBefore: newest + 1 });
  await (await openDatabase({ location, migrations: [...released, later] })).close();
  for (const words of [["upgrade", "--check"], ["tokens", "list"], ["migrate"]])
    await assert.rejects(
      installation.run(...words),
      new RegExp(`opens schemas up to ${newest}: run Clew ${manifest.version} or newer, or restore a backup`),
    );
});

test("OPS-11: `upgrade --check` says which instances may go on beside this one", async (t) => {
  const { installation, location } = await earlierInstallation(t);
  const database = await openDatabase({ location });
  await someConnection(database);
  await database.close();
  const adding = laterMigration({ kind: "expand" }, 1);
  const removing = laterMigration({ kind: "contract", stopsBefore: newest }, 2);
  const stopping = laterMigration({ kind: "contract", stopsBefore: newest + 3 }, 3);
  // A later program has more in this list.
  const known = released as Migration[];
  for (const [step, says] of [
    [adding, `Instances with schema ${newest} go on beside it.`],
    [removing, `Instances with schema ${newest} go on beside it. Those with a schema before ${newest} stop.`],
    [stopping, `Instances with schema ${newest} stop serving when it has run`],
  ] as const) {
    known.push(step);
    t.after(() => known.splice(known.indexOf(step), 1));
    assert.ok((await installation.run("upgrade", "--check")).includes(says), says);
  }
});

test("OPS-11: a file that is no database of Clew's is named, and not changed", async (t) => {
  const installation = await testInstallation(t);
  await writeFile(installation.path, "no database, however long this text is");
  await assert.rejects(
    installation.run("upgrade", "--check"),
    /clew\.db cannot be read as a database of Clew's: file is not a database\. `clew verify` looks closer\.$/,
  );
});

test("OPS-11: a disk without room for the copy and the log is named before anything is changed", () => {
  assert.equal(roomFault({ bytes: 10e6, free: 20e6 }, "/data/clew.db"), null);
  assert.equal(
    roomFault({ bytes: 10e6, free: 19e6 }, "/data/clew.db"),
    "There is too little room: free 20 MB beside /data/clew.db.",
  );
});

test("OPS-11: the command that dumps a database on a server has no password and no parameter of Clew's", () => {
  assert.equal(
    dumpCommand("postgres://clew:secret@db:5432/clew?sslmode=verify-full&connection_limit=3", 14),
    "pg_dump --format=custom --exclude-table-data='text_*' --file=clew-schema-14.dump 'postgres://clew@db:5432/clew?sslmode=verify-full'",
  );
});
