import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { TestStandIn } from "@clew/stand-in/testing";
import {
  type DatabaseLocation,
  describeLocation,
  formatLocation,
} from "../../packages/server/src/model/database-location.ts";
import { openReader } from "../../packages/server/src/store/database.ts";
import { nodeIdOf } from "../../packages/server/src/store/queries/statements.ts";
import { newest } from "../../packages/server/src/store/testing/later-migration.ts";
import {
  connectTo,
  newLocation,
  onPostgres,
  released,
} from "../../packages/server/src/store/testing/location.ts";
import { call } from "../support/call.ts";
import { freePort } from "../support/clew-process.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, waitForSync } from "../support/session.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import {
  changes,
  type Fixture,
  filesBefore,
  findable,
  fixturesFolder,
  injectFaults,
  isPage,
  provider,
  readAnswers,
  settings,
  unfinished,
  workspaceId,
  writeWorkspace,
} from "./fixture.ts";

/** Programs before schema 5 could call a sync complete that was not, so the one after the upgrade looks at everything. */
const beforeOutcomes = ["sqlite-4"];

const names = (await readdir(fixturesFolder))
  .filter((file) => file.endsWith(".sql") && file.startsWith("postgres-") === onPostgres)
  .map((file) => file.replace(".sql", ""));

for (const name of names) {
  const isBeforeOutcomes = beforeOutcomes.includes(name);

  test(`OPS-11: what an earlier Clew answered is answered from its database (${name})`, async (t) => {
    const { url, session, fixture } = await upgrade(t, name);
    const [workspace] = (await clientOf(url, session).listWorkspaces()).items;
    assert.equal(workspace?.complete_as_of, null);
    const answers = await readAnswers(url, { token: fixture.token, access: session.access });
    for (const [path, before] of Object.entries(fixture.answers))
      assert.deepEqual(fieldsOf(before, answers[path]), before, path);
    assert.deepEqual(Object.keys(answers), Object.keys(fixture.answers));

    const agent = clientOf(url, { access: fixture.token });
    const found = await until(async () => (await agent.searchTexts({ q: findable.word })).items[0]);
    assert.equal(found.node.id, findable.id);
  });

  test(`OPS-11: nothing that an earlier Clew read is asked again of the provider (${name})`, async (t) => {
    const { url, session, notion } = await upgrade(t, name);
    const client = clientOf(url, session);
    // The end of a connection, which the earlier Clew had begun, is carried on beside the syncs.
    await until(async () => notion.calls()["POST /v1/oauth/revoke"]);
    const sync = async () => {
      notion.resetCalls();
      await client.startSync({ id: workspaceId });
      await waitForSync(url, session);
      const [report] = (await client.listSyncs({ id: workspaceId })).items;
      return { kind: report?.kind, calls: notion.calls(), texts: textsAsked(notion) };
    };
    const first = await sync();
    assert.deepEqual(first.texts, Object.values(unfinished));
    assert.equal(first.kind, isBeforeOutcomes ? "full" : "incremental");
    const second = await sync();
    assert.deepEqual([second.kind, second.texts], ["incremental", first.texts]);
    // The names of authors, for which no earlier Clew asked.
    const { "GET /v1/users": users, ...calls } = first.calls;
    assert.equal(users, 1);
    assert.deepEqual(calls, second.calls, "a sync that finds nothing new asks as much");
  });

  test(`OPS-11: what an earlier Clew had begun is carried on (${name})`, async (t) => {
    const { location, notion } = await upgrade(t, name);
    const { read, close } = await openReader(location);
    t.after(close);
    const nodes = await read
      .selectFrom("nodes")
      .innerJoin("connections", "connections.id", "nodes.connection_id")
      .select(["nodes.id", "text_state", "read_at"])
      .where("removed_at", "is", null)
      .execute();
    const states = new Map(nodes.map(({ id, text_state }) => [nodeIdOf(id), text_state]));
    assert.deepEqual(
      Object.values(unfinished).map((id) => states.get(id)),
      // Programs before schema 5 did not keep that a text lacks a part.
      ["unread", isBeforeOutcomes ? "whole" : "partial", "unsettled"],
    );
    assert.equal(states.get(findable.id), "whole");
    assert.ok(nodes.every(({ read_at }) => read_at === null || read_at > 0));

    const removed = read.selectFrom("connections").select("id").where("removed_at", "is not", null);
    await until(async () => ((await removed.execute()).length === 0 ? true : undefined));
    await until(async () => notion.calls()["POST /v1/oauth/revoke"]);
  });
}

test(`OPS-4: a start logs its migrations, and the way back (${names[0]})`, async (t) => {
  const { logged, databaseName } = await upgrade(t, names[0] ?? "");
  const migrations = logged.filter(({ msg }) => msg === "ran a migration");
  assert.deepEqual(
    migrations.map(({ version }) => version),
    released.map(({ version }) => version).filter((version) => version > schemaOf(names[0] ?? "")),
  );
  for (const { name, ms, rows } of migrations)
    assert.deepEqual([typeof name, typeof ms, typeof rows], ["string", "number", "number"]);
  assert.ok(migrations.some(({ rows }) => Number(rows) > 0));
  const { msg } = logged.find((line) => line.from !== undefined) ?? {};
  assert.equal(msg, `migrated ${databaseName} from schema ${schemaOf(names[0] ?? "")} to ${newest}`);
  assert.ok(logged.some((line) => /^the way back to schema \d+: stop /.test(String(line.msg))));
});

const schemaOf = (name: string) => Number(name.split("-")[1]);

/** The part of `value` that has the fields of `pattern`: answers may have got more since, and other scores. */
function fieldsOf(pattern: unknown, value: unknown): unknown {
  if (Array.isArray(pattern) && Array.isArray(value))
    return value.map((item, index) => fieldsOf(pattern[index], item));
  if (!isObject(pattern) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(pattern).map((name) => [
      name,
      name === "score" ? pattern[name] : fieldsOf(pattern[name], value[name]),
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The pages whose texts were asked for, sorted. The later parts of a text are asked for by the ids of blocks. */
function textsAsked(notion: Pick<TestStandIn, "requests">): string[] {
  return notion
    .requests()
    .flatMap(({ route, id }) => (id !== null && route.endsWith("/markdown") && isPage(id) ? id : []))
    .sort();
}

async function until<Result>(find: () => Promise<Result | undefined>): Promise<Result> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await setTimeout(50);
  }
}

/** Starts this Clew with a fixture's database, beside the provider that the fixture knows, ten minutes after it was made. */
async function upgrade(t: TestContext, name: string) {
  const stage = await stageOf(t);
  const fixture: Fixture = JSON.parse(await readFile(join(fixturesFolder, `${name}.json`), "utf8"));
  const directory = join(stage.folder, "orchard");
  await mkdir(directory);
  await writeWorkspace(directory, { ...filesBefore, ...changes });
  const stateFile = join(stage.folder, "stand-in.json");
  await writeFile(stateFile, JSON.stringify(fixture.provider));
  const offset = fixture.madeAt + 10 * 60_000 - Date.now();
  const clock = () => Date.now() + offset;
  const notion = await startNotion(stage, directory, { ...provider, stateFile, clock, recordRequests: true });
  await injectFaults(notion);
  const location = await load(stage, await readFile(join(fixturesFolder, `${name}.sql`), "utf8"));
  const port = await freePort();
  const places = {
    PORT: String(port),
    DATA_DIR: join(stage.folder, "data"),
    DATABASE_URL: formatLocation(location),
  };
  const logged: Record<string, unknown>[] = [];
  const log = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)));
      done();
    },
  });
  const env = { ...settingsFor(notion), ...settings, ...places, LOG_LEVEL: "info" };
  const clew = await startRunning({ env, clock, log });
  stage.defer(() => clew.stop());
  const url = new URL(`http://localhost:${port}/`);
  const { body } = await call<{ access: string }>(url, "api/auth/refresh/", {
    method: "POST",
    body: { refresh: fixture.refresh },
  });
  return { url, session: body, fixture, notion, location, logged, databaseName: describeLocation(location) };
}

/** Fills a new database. Returns its location. */
async function load(stage: Stage, dump: string): Promise<DatabaseLocation> {
  const { location, remove } = await newLocation({ isEmpty: true });
  stage.defer(remove);
  if (location.kind === "postgres") {
    const client = await connectTo(location.url);
    await client.query(dump).finally(() => client.end());
  } else {
    // Tables are filled in the order in which they were made, which foreign keys may not allow.
    const file = new DatabaseSync(location.path, { enableForeignKeyConstraints: false });
    file.exec(dump);
    file.close();
  }
  return location;
}
