import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServiceTokenList } from "@clew/contract";
import { sampleDirectory } from "@clew/stand-in";
import { until } from "@clew/stand-in/testing/until";
import { testInstallation } from "../../packages/server/src/cli/testing/installation.ts";
import {
  connectTo,
  hasPooler,
  newLocation,
  onPostgres,
} from "../../packages/server/src/store/testing/location.ts";
import { call } from "../support/call.ts";
import { main, type Settings, withoutEnvFile, withoutSettings } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";
import { settingsFor, startNotion } from "../support/notion.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";
import { type Stage, stageOf } from "../support/stage.ts";
import { openTcpProxy } from "../support/tcp-proxy.ts";

const needsServer = { skip: !onPostgres && "it needs a PostgreSQL server" };

/** An empty PostgreSQL database, and the only connection to it. */
async function emptyDatabase(t: TestContext) {
  const { url, remove } = await newLocation({ isEmpty: true });
  t.after(remove);
  return {
    url,
    /** Runs a statement over a connection of its own. */
    async query(statement: string) {
      const client = await connectTo(url);
      try {
        return await client.query(statement);
      } finally {
        await client.end();
      }
    },
  };
}

const tableCount = "select count(*)::int as count from pg_tables where schemaname = 'public'";
const otherSessions =
  "select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** A Clew with an embedded database, a session and a service token, and what it answers. */
async function servedWorkspace(stage: Stage, settings: Settings) {
  const clew = await stage.start(settings);
  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "moved");
  const deleted = await createToken(clew.url, session, "deleted");
  await clientOf(clew.url, session).revokeServiceToken({ id: deleted.id });
  const { body } = await call<{ items: { node: { id: string } }[] }>(clew.url, "api/v1/recent/?limit=3", {
    token,
  });
  assert.equal(body.items?.length, 3, JSON.stringify(body));
  const paths = [
    "api/v1/workspaces/",
    "api/v1/search/?q=a",
    "api/v1/tree/",
    "api/v1/recent/",
    ...body.items.flatMap(({ node: { id } }) =>
      ["", "content/", "neighbors/"].map((end) => `api/v1/nodes/${id}/${end}`),
    ),
  ];
  const answers = async (base: URL) => {
    const texts: string[] = [];
    for (const path of paths) {
      const response = await fetch(new URL(path, base), { headers: { authorization: `Bearer ${token}` } });
      // Cursors hold the time.
      const text = (await response.text()).replace(/"next_cursor":"[^"]+"/, '"next_cursor":"…"');
      texts.push(`${path} ${response.status} ${text}`);
    }
    return texts;
  };
  return { clew, session, deleted, answers };
}

test(
  "OPS-7, OPS-8: `clew move` copies an embedded database, and begins anew after kill -9",
  needsServer,
  async (t) => {
    const stage = await stageOf(t);
    const { url, query } = await emptyDatabase(t);
    const notion = await startNotion(stage, sampleDirectory);
    const data = { ...settingsFor(notion), DATA_DIR: join(stage.folder, "data") };
    const { clew, session, deleted, answers } = await servedWorkspace(stage, data);
    const before = await answers(clew.url);
    for (const answer of before) assert.match(answer, /^\S+ 200 /);

    const to = { ...data, NEW_DATABASE_URL: url };
    const early = await runCommand(to, "move");
    assert.equal(early.code, 4);
    assert.match(early.errors, /stop Clew first\. Nothing was changed/);
    assert.equal(await clew.terminate(), 0);

    // Interrupted in the middle of the pages.
    const proxy = await openTcpProxy(Number(new URL(url).port));
    stage.defer(() => proxy.close());
    const slow = new URL(url);
    slow.port = String(proxy.port);
    const held = proxy.holdAt('insert into "nodes"');
    const interrupted = spawn(process.execPath, [main, "move", "--to", slow.href], {
      cwd: withoutEnvFile,
      env: { ...withoutSettings, ...data },
      stdio: "ignore",
    });
    await Promise.race([held, once(interrupted, "exit").then(() => assert.fail("it was not interrupted"))]);
    const other = await runCommand(data, "move", "--to", url.replace("postgres://", "postgresql://"));
    assert.equal(other.code, 4, "the file is locked");
    interrupted.kill("SIGKILL");
    await once(interrupted, "exit");
    proxy.cut();

    const moved = await runCommand(to, "move");
    assert.equal(moved.code, 0, moved.errors);
    assert.match(moved.output, /^Moved .* rows; [2-9]\d* secrets open with the key\.$/m);
    assert.ok(!`${moved.output}${moved.errors}`.includes(`:${new URL(url).password}@`));

    const again = await runCommand(to, "move");
    assert.equal(again.code, 3);
    assert.match(again.errors, /is not empty: there are rows in \w+\. Nothing was changed/);

    const key = (await readFile(join(data.DATA_DIR, "encryption.key"), "utf8")).trim();
    const onServer = { ...settingsFor(notion), DATABASE_URL: url, ENCRYPTION_KEY: key };
    const next = await stage.start({
      ...onServer,
      DATA_DIR: join(stage.folder, "other"),
      PORT: String(clew.port),
    });
    const after = await answers(next.url);
    for (const [index, answer] of before.entries()) assert.equal(after[index], answer);
    const { body: list } = await call<ServiceTokenList>(next.url, "api/tokens/", { token: session.access });
    assert.deepEqual(list.items.map(({ name }) => name).toSorted(), ["deleted", "moved"]);
    const created = await createToken(next.url, session, "new");
    assert.ok(created.id > deleted.id, "ids are never used again");
    const { rows } = await query(`select c.stored_bytes = (
      select sum(200 + octet_length(title) + octet_length(properties) + coalesce(octet_length(icon), 0)
        + coalesce(octet_length(url), 0) + coalesce(octet_length(aliases), 0) + coalesce(octet_length(created_by), 0)
        + coalesce(octet_length(edited_by), 0) + coalesce(octet_length(unread), 0) + coalesce(octet_length(verification), 0)
        + coalesce(octet_length(description), 0)) from nodes)
    + (select sum(100 + octet_length(markdown)) from contents)
    + (select sum(100 + coalesce(octet_length(name), 0) + coalesce(octet_length(target_name), 0)) from node_references)
    as "isCounted" from connections c`);
    assert.deepEqual(rows, [{ isCounted: true }]);
  },
);

test("OPS-7: `clew move` refuses a database that is connected, not empty, or another program's", {
  skip: needsServer.skip || hasPooler,
}, async (t) => {
  const { url, query } = await emptyDatabase(t);
  const installation = await testInstallation(t);
  const move = (to = url) => installation.run("move", "--to", to);
  // PostgreSQL ends the sessions of a program that has closed them a moment later.
  const alone = () => until(async () => (await query(otherSessions)).rows[0]?.count === 0);
  await assert.rejects(move(), /There is no database at/);
  await installation.with(({ add }) => add("person"));

  const client = await connectTo(url);
  try {
    await assert.rejects(move(), /Another program is connected to .* \(test\): stop it first/);
  } finally {
    await client.end();
  }
  assert.deepEqual((await query(tableCount)).rows, [{ count: 0 }], "nothing was changed");

  await query("create table theirs (id int)");
  await assert.rejects(move(), /has tables of another program/);
  await query("drop table theirs");

  const notHidden = (error: Error) => error.message.includes("hunter2");
  for (const wrong of ["sqlite:elsewhere.db", "postgres://clew:hunter2@far.example/clew"])
    await assert.rejects(
      move(wrong),
      (error: Error) => /postgres:|sslmode/.test(error.message) && !notHidden(error),
    );
  const unreachable = url.replace(/:\d+\//, ":1/");
  await assert.rejects(move(unreachable), /cannot be reached: connect ECONNREFUSED/);

  installation.settings = { ENCRYPTION_KEY: randomBytes(32).toString("base64") };
  await assert.rejects(move(), /encryption key is not the one/);
  assert.deepEqual((await query(tableCount)).rows, [{ count: 0 }], "nothing was changed");
  installation.settings = {};
  await alone();
  assert.match(await move(), /Set ENCRYPTION_KEY to the content of .*encryption\.key/);
  await alone();
  await assert.rejects(move(), /is not empty/);
});
