import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { captureOutput } from "@clew/cli/testing";
import pg from "pg";
import { signInFailed, workspaceWords } from "../../packages/dashboard/src/words.ts";
import { failureOf } from "../../packages/server/src/cli/failure.ts";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { listenOr } from "../../packages/server/src/http/listen.ts";
import { parsePostgresUrl } from "../../packages/server/src/model/postgres-address.ts";
import { openSecrets } from "../../packages/server/src/secrets/open-secrets.ts";
import { warnOfMachine, watchProviderClock } from "../../packages/server/src/start-warnings.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { openFault, unreachable } from "../../packages/server/src/store/postgres/errors.ts";
import { openForWriting } from "../../packages/server/src/store/sqlite/file.ts";
import { openFault as fileFault } from "../../packages/server/src/store/sqlite/open-fault.ts";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { freePort, type Settings } from "../support/clew-process.ts";
import { serve } from "../support/local-server.ts";
import { startRunning } from "../support/running-clew.ts";
import { runUnprivileged, skipUnprivileged } from "../support/unprivileged.ts";

/*
 * Provokes what docs/symptoms.md describes, and compares the words there with what Clew says. The titles of its sections are those
 * of the tests.
 */

/** The end of Clew, and its words. */
interface Said {
  readonly text: string;
  /** The exit code; left out for what ends nothing. */
  readonly code?: number;
}

/** The words that the page quotes, by the title of their section. */
const quoted = new Map(
  [
    ...(await readFile(join(import.meta.dirname, "../../docs/symptoms.md"), "utf8")).matchAll(
      /^### (.+)\n\n```text\n([^`]*(?:`[^`]+`[^`]*)*?)\n```$/gm,
    ),
  ].map(([, title = "", words = ""]) => [title, words.split("\n")]),
);

const provoked: string[] = [];

/** Tests that Clew says what the page quotes under this title, and ends with this code. */
function symptom(
  title: string,
  expected: { readonly code?: number; readonly skip?: string | false },
  provoke: (t: TestContext) => Said | Promise<Said>,
): void {
  provoked.push(title);
  const skip = expected.skip ?? false;
  test(`OPS-5: docs/symptoms.md says what Clew says: ${title}`, { skip }, async (t) => {
    const { text, code } = await provoke(t);
    const lines = quoted.get(title);
    assert.ok(lines, "the page quotes nothing under this title");
    for (const line of lines) {
      const pattern = line.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("…", ".+");
      assert.match(text, new RegExp(`^.*${pattern}.*$`, "m"));
    }
    assert.doesNotMatch(text, /^ +at /m);
    assert.equal(code, expected.code);
  });
}

async function scratchFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-symptoms-"));
  await chmod(folder, 0o755);
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs a command in this process, which must fail. */
async function failing(env: Settings, ...words: string[]): Promise<Said> {
  const program = buildProgram({
    env,
    fromEnvFile: new Set(),
    random: randomBytes,
    print: () => {},
    writeLog: () => {},
    serve: async () => assert.fail("it served"),
    reading: captureOutput().reading,
  });
  return saidBy(() => program.parseAsync(words, { from: "user" }));
}

/** Returns what Clew says of an error, and its exit code. */
async function saidBy(work: () => Promise<unknown>): Promise<Said> {
  const error = await work().then(
    () => assert.fail("nothing failed"),
    (thrown: unknown) => thrown,
  );
  const { exitCode, message } = failureOf(error);
  assert.ok(message !== null, `a bug: ${error}`);
  return { text: message, code: exitCode };
}

/** A new installation, with a database and a key file in a folder. */
async function installation(t: TestContext) {
  const dataDir = await scratchFolder(t);
  const path = join(dataDir, "clew.db");
  const database = await openDatabase({ location: { kind: "sqlite", path } });
  await openSecrets({ encryptionKey: null, dataDir }, database, randomBytes);
  await database.close();
  const env = { DATA_DIR: dataDir, DATABASE_URL: `sqlite:${path}` };
  return { env, path, keyFile: join(dataDir, "encryption.key") };
}

/** Returns what a start writes to its log as warnings. */
async function warning(work: (log: { warn(...words: unknown[]): void }) => Promise<unknown>): Promise<Said> {
  const written: string[] = [];
  await work({ warn: (...words) => void written.push(String(words.at(-1))) });
  return { text: written.join("\n") };
}

symptom("A setting is wrong", { code: 2 }, () => failing({ CLEW_PORT: "1" }, "config"));

symptom("The data folder cannot be written", { code: 2, skip: skipUnprivileged }, async (t) => {
  const folder = join(await scratchFolder(t), "data");
  await mkdir(folder, { mode: 0o555 });
  return { text: runUnprivileged(["migrate"], { code: 2 }, { DATA_DIR: folder }), code: 2 };
});

symptom("A secret cannot be read", { code: 2, skip: skipUnprivileged }, async (t) => {
  const file = join(await scratchFolder(t), "key");
  await writeFile(file, "", { mode: 0o000 });
  return { text: runUnprivileged(["config"], { code: 2 }, { ENCRYPTION_KEY_FILE: file }), code: 2 };
});

test("OPS-5: a file that names no secret is refused without its value", async (t) => {
  const secret = randomBytes(32).toString("base64");
  const missing = await failing({ ENCRYPTION_KEY_FILE: secret }, "config");
  assert.match(missing.text, /^ {2}- ENCRYPTION_KEY_FILE names a file that does not exist$/m);
  assert.ok(!missing.text.includes(secret));
  const file = join(await scratchFolder(t), "key");
  await writeFile(file, "\n");
  const empty = await failing({ ENCRYPTION_KEY_FILE: file }, "config");
  assert.ok(empty.text.includes(`ENCRYPTION_KEY_FILE names ${file}, which is empty`));
  await writeFile(file, `${secret}x`);
  const wrong = await failing({ ENCRYPTION_KEY_FILE: file }, "config");
  assert.ok(wrong.text.includes(`ENCRYPTION_KEY in ${file} must be 32 bytes in base64, as \`openssl`));
  assert.ok(!wrong.text.includes(secret));
});

/** Listens as `serve` does. */
const listening = (host: string, port: number) =>
  saidBy(() =>
    listenOr({ host, port, portSetting: "PORT" }, async () => {
      const server = createServer().listen(port, host);
      await once(server, "listening");
      server.close();
    }),
  );

symptom("The port is taken", { code: 4 }, async (t) => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const said = await listening("127.0.0.1", port);
  if (process.platform === "linux")
    assert.match(said.text, new RegExp(` by .* \\(process ${process.pid}\\)\\.`));
  return said;
});

symptom("The port needs rights", { code: 2 }, () => {
  const refused = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
  return saidBy(() =>
    listenOr({ host: "0.0.0.0", port: 80, portSetting: "PORT" }, () => Promise.reject(refused)),
  );
});

// RFC 5737: an address of no machine.
symptom("The address is not there", { code: 4 }, async () => listening("203.0.113.7", await freePort()));

symptom("Other machines cannot open the demo workspace", { code: 2 }, () =>
  failing({ HOST: "0.0.0.0" }, "config"),
);

symptom("The key is missing", { code: 3 }, async (t) => {
  const { env, keyFile } = await installation(t);
  await rm(keyFile);
  return failing(env, "verify");
});

symptom("The key is another one", { code: 3 }, async (t) => {
  const { env } = await installation(t);
  return failing({ ...env, ENCRYPTION_KEY: randomBytes(32).toString("base64") }, "verify");
});

symptom("Other users can read the key", { code: 3 }, async (t) => {
  const { env, keyFile } = await installation(t);
  await chmod(keyFile, 0o644);
  return failing(env, "verify");
});

symptom("The database is damaged", { code: 3 }, async (t) => {
  const { env, path } = await installation(t);
  await writeFile(path, randomBytes(100_000));
  return failing(env, "migrate");
});

symptom("A newer Clew wrote the database", { code: 3 }, async (t) => {
  const { env, path } = await installation(t);
  const file = openForWriting(path);
  file.exec("insert into schema_migrations (version, name) values (9999, 'later')");
  file.close();
  return failing(env, "migrate");
});

symptom("Another program has locked the database", { code: 4 }, async (t) => {
  const { path } = await installation(t);
  const script = `
    const file = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
    file.exec("begin exclusive");
    console.log("locked");
    process.stdin.resume().on("end", () => process.exit());`;
  const other: ChildProcess = spawn(process.execPath, ["-e", script, path], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => other.kill());
  assert.ok(other.stdout);
  await once(other.stdout, "data");
  const lockWait = { timeoutMs: 0, now: () => 0, sleep: async () => {}, random: () => 0 };
  const said = await saidBy(() => openDatabase({ location: { kind: "sqlite", path }, lockWait }));
  if (process.platform === "linux") assert.ok(said.text.includes(`(process ${other.pid})`), said.text);
  return said;
});

symptom("The disk is full", { code: 4 }, async (t) => {
  const { path } = await installation(t);
  const file = openForWriting(path);
  t.after(() => file.close());
  // It has the pages that it has, and gets no more.
  file.pragma("max_page_count = 1");
  return saidBy(async () => {
    try {
      file.exec("create table more (text text); insert into more values (zeroblob(100000))");
    } catch (error) {
      throw fileFault(path, error);
    }
  });
});

const serverUrl = async () => `postgres://clew:hunter2@127.0.0.1:${await freePort()}/clew`;

/** An error of a PostgreSQL server, with its code. */
const serverError = (message: string, code: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, "error"), { code });

symptom("PostgreSQL is away", { code: 4 }, async () => {
  const key = randomBytes(32).toString("base64");
  return failing({ DATABASE_URL: await serverUrl(), ENCRYPTION_KEY: key, DATA_DIR: tmpdir() }, "migrate");
});

symptom("PostgreSQL refuses the password", { code: 4 }, async () => {
  const address = parsePostgresUrl(await serverUrl());
  const refused = serverError('password authentication failed for user "clew"', "28P01");
  return saidBy(() => Promise.reject(unreachable(refused, address)));
});

symptom("PostgreSQL lets Clew create no tables", { code: 3 }, async () => {
  const address = parsePostgresUrl(await serverUrl());
  const forbidden = serverError("permission denied for schema public", "42501");
  return saidBy(() => Promise.reject(openFault(forbidden, address)));
});

const hourMs = 3_600_000;

symptom("The clock is off", {}, () =>
  warning(async (log) => {
    const date = new Date(hourMs).toUTCString();
    const provider = async () => new Response(null, { headers: { date } });
    const watched = watchProviderClock(provider, { log, clock: () => hourMs - 60_000 });
    await watched("https://provider.example/");
    await watched("https://provider.example/");
  }),
);

test("OPS-8: a start warns if PostgreSQL may refuse connections of the instance, and says what to change", async () => {
  const location = { kind: "postgres", url: await serverUrl() } as const;
  const from = (open: number) =>
    warning((log) =>
      warnOfMachine(
        { location, clock: () => 0, connectionRoom: async () => ({ own: 32, limit: 97, open }) },
        { log, clock: () => 0 },
      ),
    );
  assert.deepEqual(await from(65), { text: "" });
  assert.match(
    (await from(66)).text,
    /^This instance opens up to 32 connections to PostgreSQL, which takes 97 of all clients and has 66 open: raise its max_connections, /,
  );
});

test("OPS-5: a start warns of a clock that differs from the database's, or lies before its last change, once and beyond 30 s alone", async (t) => {
  const server = { kind: "postgres", url: await serverUrl() } as const;
  const from = (other: number) =>
    warning((log) => warnOfMachine({ location: server, clock: () => other }, { log, clock: () => hourMs }));
  assert.deepEqual(await from(hourMs + 29_000), { text: "" });
  assert.match(
    (await from(hourMs + 42_000)).text,
    /^The clock of this machine is 42 s behind the database's\. /,
  );
  assert.match((await from(0)).text, /^The clock of this machine is 60 min ahead of the database's\. /);

  const { path } = await installation(t);
  const at = (now: number) =>
    warning((log) =>
      warnOfMachine(
        { location: { kind: "sqlite", path }, clock: () => now },
        { log, clock: () => now, freeBytes: async () => 1e12 },
      ),
    );
  assert.deepEqual(await at(Date.now() + hourMs), { text: "" });
  assert.match(
    (await at(0)).text,
    /^The clock of this machine is \d+ min behind the last change of the database\. /,
  );
});

test("OPS-5: serving compares the clock with the last change of the database, and with the provider's answers", async (t) => {
  const now = Date.now();
  const provider = await serve(t, (_request, response) => response.writeHead(401).end("{}"));
  const written: string[] = [];
  const clew = await startRunning({
    env: {
      LOG_LEVEL: "warn",
      NOTION_CLIENT_ID: "an-id",
      NOTION_CLIENT_SECRET: "a-secret",
      NOTION_API_URL: provider,
    },
    clock: () => now - 2 * hourMs,
    log: new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    }),
  });
  t.after(() => clew.stop());
  const begun = await fetch(new URL("api/integrations/auth/provider/", clew.url), { redirect: "manual" });
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
  const callback = new URL("api/integrations/auth/provider/callback", clew.url);
  callback.search = String(new URLSearchParams({ code: "x", state }));
  const [cookie = ""] = begun.headers.getSetCookie();
  await fetch(callback, { redirect: "manual", headers: { cookie: cookie.split(";")[0] ?? "" } });
  const warned = written.join("").match(/The clock of this machine is 120 min behind [^.]+\./g) ?? [];
  const others = ["the provider's.", ...(onPostgres ? [] : ["the last change of the database."])];
  assert.deepEqual(
    warned.sort(),
    others.map((other) => `The clock of this machine is 120 min behind ${other}`).sort(),
  );
});

symptom("The disk is nearly full", {}, async (t) => {
  const { path } = await installation(t);
  const location = { kind: "sqlite", path } as const;
  const warned = (free: number) =>
    warning((log) =>
      warnOfMachine({ location, clock: Date.now }, { log, clock: Date.now, freeBytes: async () => free }),
    );
  assert.deepEqual(await warned(2e9), { text: "" });
  return warned(123e6);
});

symptom("Clew is not ready", { code: 4 }, async () => failing({ PORT: String(await freePort()) }, "health"));

symptom("An account may not sign in", {}, () => ({ text: signInFailed("not_allowed") }));
symptom("A sign-in has expired", {}, () => ({ text: signInFailed("invalid_state") }));
symptom("A client secret or redirect URI is wrong", {}, () => ({ text: signInFailed("exchange_failed") }));
symptom("A workspace needs reconnecting", {}, () => ({ text: workspaceWords.withdrawnWhat }));
symptom("Nothing is shared", {}, () => ({ text: workspaceWords.noPages }));

test("OPS-5: every symptom of docs/symptoms.md is provoked, and has a cure", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/symptoms.md"), "utf8");
  const sections = page.split(/^(?=### )/m).slice(1);
  const titles = sections.map((section) => section.slice("### ".length, section.indexOf("\n")));
  assert.deepEqual([...titles].sort(), [...provoked].sort());
  assert.ok(titles.length >= 15);
  for (const section of sections) assert.match(section, /\n```\n\n[A-Z`].{40}/, "text follows the words");
});
