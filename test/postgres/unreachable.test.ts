import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readingGroup } from "@clew/cli";
import { captureOutput } from "@clew/cli/testing";
import { failureOf } from "../../packages/server/src/cli/failure.ts";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { connectTo, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { startTestServer } from "../../scripts/postgres.ts";
import { freePort } from "../support/clew-process.ts";
import { runCommand } from "../support/command-line.ts";

const password = "hunter2";

/** The call of each command that works on an installation, and its end while the server is away. */
const commands: Readonly<Record<string, { readonly words: readonly string[]; readonly code: number }>> = {
  serve: { words: [], code: 4 },
  migrate: { words: [], code: 4 },
  upgrade: { words: ["--check"], code: 4 },
  verify: { words: [], code: 4 },
  "sign-in-code": { words: [], code: 4 },
  "keys rotate": { words: [], code: 4 },
  "keys reset": { words: ["--lost"], code: 4 },
  "tokens list": { words: [], code: 4 },
  "tokens revoke": { words: ["1"], code: 4 },
  "move-person": { words: ["x", "--to", "2"], code: 4 },
  "users list": { words: [], code: 4 },
  "users sign-out": { words: ["x"], code: 4 },
  "users remove": { words: ["x"], code: 4 },
  "connections list": { words: [], code: 4 },
  "connections sync": { words: ["1"], code: 4 },
  "connections disconnect": { words: ["1"], code: 4 },
  "sessions end": { words: ["--all"], code: 4 },
  // They read no database, or only one in a file.
  config: { words: [], code: 0 },
  backup: { words: ["copy.db"], code: 1 },
  restore: { words: ["copy.db"], code: 1 },
  move: { words: [], code: 1 },
  // It reports every check.
  doctor: { words: [], code: 1 },
};

/** The other commands that ask a server, and no database. */
const askServer: readonly string[] = ["health", "login", "logout"];

function settingsFor(url: string, folder: string) {
  return {
    DATABASE_URL: url,
    DATA_DIR: folder,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    NOTION_TOKEN: "ntn_x",
    // Port 9 discards: nothing listens there.
    NOTION_API_URL: "http://127.0.0.1:9",
  };
}

function programWith(env: Readonly<Record<string, string>>) {
  return buildProgram({
    env,
    fromEnvFile: new Set(),
    random: randomBytes,
    print: () => {},
    writeLog: () => {},
    // It has a process of its own below.
    serve: async () => {},
    reading: captureOutput().reading,
  });
}

/** Runs a command in this process. */
async function run(env: Readonly<Record<string, string>>, ...words: string[]) {
  return programWith(env)
    .parseAsync(words, { from: "user" })
    .then(
      () => ({ exitCode: 0, message: "" }),
      (error: unknown) => failureOf(error),
    );
}

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-unreachable-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test("OPS-7: every command that works on an installation has a row here", () => {
  const names = programWith({}).commands.flatMap((command) => {
    if (command.helpGroup() === readingGroup || askServer.includes(command.name())) return [];
    const subcommands = command.commands.map((each) => `${command.name()} ${each.name()}`);
    return subcommands.length === 0 ? [command.name()] : subcommands;
  });
  assert.deepEqual(names.toSorted(), Object.keys(commands).toSorted());
});

test("OPS-7: a command whose PostgreSQL is away says so in one line, and exits with 4", async (t) => {
  const port = await freePort();
  const settings = settingsFor(`postgres://clew:${password}@127.0.0.1:${port}/clew`, await scratchFolder(t));
  const message = `The database clew at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}. Check that the server runs, and the host and port in its URL.`;
  for (const [name, { words, code }] of Object.entries(commands)) {
    if (name === "serve") continue;
    const ended = await run(settings, ...name.split(" "), ...words);
    assert.equal(ended.exitCode, code, `${name}: ${ended.message}`);
    if (code === 4) assert.equal(ended.message, message, name);
  }
  assert.deepEqual(await run(settings, "keys", "rotate", "--encryption"), { exitCode: 4, message });
});

test("OPS-9: a start without the database says so in one line, and ends", async (t) => {
  const port = await freePort();
  const settings = settingsFor(`postgres://clew:${password}@localhost:${port}/clew`, await scratchFolder(t));
  for (const name of ["serve", "tokens list"]) {
    const { code, errors, output } = await runCommand(
      // If the tests run as root, a warning says so.
      { ...settings, LOG_LEVEL: "error", PORT: String(await freePort()) },
      ...name.split(" "),
    );
    assert.deepEqual([code, output], [4, ""], name);
    assert.match(errors, /^The database clew at localhost:\d+ cannot be reached: .*ECONNREFUSED.*\n$/);
  }
});

test("OPS-8: a database that Clew cannot use is refused with what to do: an old server, another encoding, no rights", {
  skip: !onPostgres && "it is run with the tests that use PostgreSQL",
}, async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const admin = await connectTo(server.url);
  const statements = [
    "create user plain password 'plain'",
    "create database latin encoding 'LATIN1' locale 'C' template template0",
    "create database forbidden",
    "create database old",
    // Another function of that name answers in place of the server's.
    "alter database old set search_path = other, pg_catalog",
  ];
  for (const statement of statements) await admin.query(statement);
  await admin.end();
  const old = await connectTo(new URL("/old", server.url).href);
  await old.query(`create schema other;
    create function other.current_setting(name text) returns text language sql
      as $$ select case when name like 'server_version%' then '140007' else pg_catalog.current_setting(name) end $$`);
  await old.end();

  const refused: readonly [URL, RegExp][] = [
    [
      new URL("/old", server.url),
      /^The server of old at \S+ is PostgreSQL 140007, and Clew needs 15 or newer\. Upgrade/,
    ],
    [
      new URL("/latin", server.url),
      /^The database latin at \S+ has the encoding LATIN1\. Create it with `ENCODING/,
    ],
    [
      Object.assign(new URL("/forbidden", server.url), { username: "plain", password: "plain" }),
      /^The database forbidden at \S+ cannot be opened: permission denied .* `ALTER DATABASE forbidden OWNER TO plain`\.$/,
    ],
  ];
  const folder = await scratchFolder(t);
  for (const [url, reason] of refused) {
    const { exitCode, message } = await run(settingsFor(url.href, folder), "migrate");
    assert.equal(exitCode, 3, message ?? "a bug");
    assert.match(message ?? "", reason);
  }
});

test("OPS-7: the reason names what is wrong with the address of PostgreSQL, and never the password", {
  skip: !onPostgres && "it is run with the tests that use PostgreSQL",
}, async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const folder = await scratchFolder(t);
  const url = (change: (url: URL) => void) => {
    const changed = new URL(server.url);
    changed.password = password;
    change(changed);
    return changed.href;
  };
  const right = (changed: URL) => {
    changed.password = "clew";
  };
  const situations: [string, RegExp][] = [
    [url(() => {}), /password authentication failed.* Check the user and password/],
    [
      url((changed) => {
        changed.password = "";
      }),
      /password.* Check the user and password/,
    ],
    [
      url((changed) => {
        changed.hostname = "nowhere.invalid";
        changed.search = "sslmode=disable";
      }),
      /nowhere\.invalid\. Check the host/,
    ],
    [
      url((changed) => {
        right(changed);
        changed.pathname = "/nothing";
      }),
      /"nothing" does not exist\. Create it/,
    ],
    [
      url((changed) => {
        right(changed);
        changed.search = "sslmode=verify-full";
      }),
      /does not support SSL.* Check sslmode/,
    ],
  ];
  const expectReason = async (location: string, reason: RegExp) => {
    for (const name of ["migrate", "verify", "users list"]) {
      const { exitCode, message } = await run(settingsFor(location, folder), ...name.split(" "));
      assert.equal(exitCode, 4, `${name}: ${message}`);
      assert.match(message ?? "", /^The database .+ cannot be reached: .+$/);
      assert.match(message ?? "", reason, name);
      assert.ok(!message?.includes(password));
    }
  };
  for (const [location, reason] of situations) await expectReason(location, reason);

  const admin = await connectTo(server.url);
  const { rows } = await admin.query("show hba_file");
  await writeFile(rows[0].hba_file, "hostssl all all all trust\n");
  await admin.query("select pg_reload_conf()");
  await admin.end();
  // The server reads the file a moment later.
  while (
    await connectTo(server.url).then(
      (client) => client.end().then(() => true),
      () => false,
    )
  );
  await expectReason(url(right), /no encryption\. The server asks for TLS/);
});
