import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Command } from "@clew/cli";
import { captureOutput } from "@clew/cli/testing";
import { failureOf } from "../../packages/server/src/cli/failure.ts";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { serve } from "../support/local-server.ts";
import { consentPage, type Person, statusWith, tokensOf } from "./app.ts";
import { sharedClew, somebody } from "./shared.ts";

type Environment = Readonly<Record<string, string>>;

/** A command that runs in this process. */
interface Running {
  /** The address to which it led the browser. */
  readonly opened: Promise<URL>;
  readonly ended: Promise<{ readonly code: number; readonly output: string; readonly said: string }>;
}

function start(env: Environment, words: readonly string[], input: readonly string[] = [], waitMs?: number) {
  const { reading, output, warnings } = captureOutput(input);
  const opened = Promise.withResolvers<URL>();
  const program: Command = buildProgram({
    env,
    fromEnvFile: new Set(),
    random: randomBytes,
    print: (line) => assert.fail(line),
    writeLog: (line) => assert.fail(line),
    serve: async () => assert.fail("it served"),
    reading: {
      ...reading,
      openBrowser: opened.resolve,
      ...(waitMs !== undefined && { loginTimeoutMs: waitMs }),
    },
  });
  const ended = program.parseAsync([...words], { from: "user" }).then(
    () => ({ code: 0, output: output(), said: warnings.join("\n") }),
    (error: unknown) => {
      const { exitCode, message } = failureOf(error);
      assert.notEqual(message, null, `a bug: ${error}`);
      return { code: exitCode, output: output(), said: [...warnings, message].join("\n") };
    },
  );
  // Without this, a test would wait for ever for a browser that was not opened.
  void ended.then(({ said }) => opened.reject(new Error(`no browser was opened: ${said}`)));
  opened.promise.catch(() => {});
  return { opened: opened.promise, ended } satisfies Running;
}

/** Runs a command that needs no browser. */
const run = (env: Environment, ...words: string[]) => start(env, words).ended;

/** A home without any login. Those that are made in it end with the test. */
async function home(t: TestContext): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), "clew-login-"));
  const env = { XDG_CONFIG_HOME: folder };
  t.after(async () => {
    for (const { url } of await loginsOf(env)) await run(env, "logout", url);
    await rm(folder, { recursive: true });
  });
  return env;
}

/** The files of logins, with what they hold. */
async function loginsOf({ XDG_CONFIG_HOME: folder = "" }: Environment) {
  const logins = join(folder, "clew", "logins");
  const names = await readdir(logins).catch(() => []);
  const read = async (name: string) => ({
    path: join(logins, name),
    ...(JSON.parse(await readFile(join(logins, name), "utf8")) as { token: string; url: string }),
  });
  return Promise.all(names.map(read));
}

/** Opens the address in a person's browser: the page on which they decide. */
async function consentOf(person: Person, address: URL) {
  const response = await fetch(address, { redirect: "manual" });
  const location = URL.parse(response.headers.get("location") ?? "");
  const cookie = response.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
  return consentPage(person, {
    status: response.status,
    location,
    cookie,
    headers: response.headers,
    text: "",
  });
}

/** Logs a person in. Returns what the command and the last page said. */
async function logIn(env: Environment, person: Person, ...words: string[]) {
  const running = start(env, ["login", ...words]);
  const { body } = await (await consentOf(person, await running.opened)).approve();
  const page = await (await fetch(body.redirect_to)).text();
  return { ...(await running.ended), page };
}

test("APP-8: after clew login the commands read without a setting, until clew logout", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  const { code, output, said, page } = await logIn(env, person, url.href);
  assert.equal(code, 0, said);
  assert.match(page, /The command line is connected/);

  const [login, ...others] = await loginsOf(env);
  assert.ok(login);
  assert.equal(others.length, 0);
  assert.equal((await stat(login.path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(login.path, ".."))).mode & 0o777, 0o700);
  assert.ok(output.includes(login.path));
  for (const text of [output, said, page]) assert.doesNotMatch(text, /svc_/);

  const who = JSON.parse((await run(env, "whoami")).output);
  assert.deepEqual([who.source, `${who.clew}/`], ["clew login", url.href]);
  assert.equal((await run({ ...env, CLEW_URL: url.href }, "whoami")).code, 0);
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const bridged = await start(env, ["mcp"], [`${ping}\n`]).ended;
  assert.deepEqual(JSON.parse(bridged.output).result, {}, bridged.output);
  const [record] = await tokensOf(person);
  assert.equal(record?.client?.resource, new URL("api/v1", url).href);

  const out = await run(env, "logout");
  assert.equal(out.code, 0, out.said);
  assert.deepEqual(await loginsOf(env), []);
  assert.equal(await statusWith(url, login.token, "api/v1/workspaces/"), 401);
  assert.equal((await run({ ...env, CLEW_URL: url.href }, "logout")).code, 1);
  assert.match((await run({ ...env, CLEW_URL: url.href }, "search", "moon")).said, /Run `clew login`/);
});

test("APP-8: a token in the environment comes before that of clew login", async (t) => {
  const { url } = await sharedClew();
  const env = await home(t);
  await logIn(env, await somebody(), url.href);
  const wrong = { ...env, CLEW_URL: url.href, CLEW_TOKEN: `svc_${"x".repeat(32)}` };
  const refused = await run(wrong, "search", "moon");
  assert.equal(refused.code, 3);
  assert.match(refused.said, /Create a new token in the dashboard/);
  // It was not given for the address of the login.
  assert.equal((await run({ ...wrong, CLEW_URL: "" }, "search", "moon")).code, 2);
});

test("APP-8: another login at the same Clew ends the token of the first", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  await logIn(env, person, url.href);
  const [first] = await loginsOf(env);
  // By the address of the only login.
  assert.equal((await logIn(env, person)).code, 0);
  const [second] = await loginsOf(env);
  assert.ok(first && second);
  assert.notEqual(first.token, second.token);
  assert.equal(await statusWith(url, first.token, "api/v1/workspaces/"), 401);
  assert.equal(await statusWith(url, second.token, "api/v1/workspaces/"), 200);
});

test("APP-8: a token that was revoked in the dashboard is named, with what to do", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  await logIn(env, person, url.href);
  const [record] = await tokensOf(person);
  await fetch(new URL(`api/tokens/${record?.id}/`, url), {
    method: "DELETE",
    headers: { authorization: `Bearer ${person.session.access}` },
  });
  const { code, said } = await run(env, "search", "moon");
  assert.equal(code, 3);
  assert.match(said, /revoked.*Run `clew login` again/);
  assert.equal((await run(env, "logout")).code, 0);
});

test("APP-8: a person who denies, or does not answer, ends the login", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  const denied = start(env, ["login", url.href]);
  const { body } = await (await consentOf(person, await denied.opened)).deny();
  assert.match(await (await fetch(body.redirect_to)).text(), /not connected/);
  const { code, said } = await denied.ended;
  assert.equal(code, 3);
  assert.match(said, /was denied in the browser/);

  const late = await start(env, ["login", url.href], [], 20).ended;
  assert.equal(late.code, 4);
  assert.match(late.said, /Nobody answered/);
  assert.deepEqual(await loginsOf(env), []);
});

test("APP-8: an answer with another state changes nothing, and a second one is refused", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  const running = start(env, ["login", url.href]);
  const address = await running.opened;
  const redirect = new URL(address.searchParams.get("redirect_uri") ?? "");
  assert.equal(redirect.hostname, "127.0.0.1");
  for (const query of ["", "?code=a", "?code=a&state=b&iss=c", "?error=access_denied&state=b"])
    assert.equal((await fetch(new URL(query, redirect))).status, 400, query);
  assert.equal((await fetch(new URL("/", redirect))).status, 404);
  assert.equal((await fetch(redirect, { method: "POST" })).status, 404);
  const { body } = await (await consentOf(person, address)).approve();
  const [first, second] = await Promise.all([fetch(body.redirect_to), fetch(body.redirect_to)]);
  assert.deepEqual([first.status, second.status].toSorted(), [200, 409]);
  assert.equal((await running.ended).code, 0);
});

test("APP-8: the answer of another issuer is not believed", async (t) => {
  const { url } = await sharedClew();
  const env = await home(t);
  for (const iss of [null, "https://other.example", url.href]) {
    const running = start(env, ["login", url.href]);
    const { searchParams } = await running.opened;
    const redirect = new URL(searchParams.get("redirect_uri") ?? "");
    redirect.searchParams.set("state", searchParams.get("state") ?? "");
    redirect.searchParams.set("code", "a");
    if (iss !== null) redirect.searchParams.set("iss", iss);
    assert.equal((await fetch(redirect)).status, 400);
    const { code, said } = await running.ended;
    assert.equal(code, 3);
    assert.match(said, /the answer of another server/);
  }
});

test("APP-8: a file that others can open, or that is damaged, is not used, until the next login", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  await logIn(env, person, url.href);
  const [login] = await loginsOf(env);
  assert.ok(login);
  await chmod(login.path, 0o640);
  const open = await run(env, "whoami");
  assert.equal(open.code, 2);
  assert.match(open.said, /chmod 600/);
  assert.doesNotMatch(open.said, /svc_/);
  await chmod(login.path, 0o600);
  assert.equal((await run(env, "logout")).code, 0);
  await writeFile(login.path, '{ "token": "svc_\\n" }', { mode: 0o600 });
  const damaged = await run(env, "whoami");
  assert.equal(damaged.code, 2);
  assert.match(damaged.said, /is not a file of `clew login`/);
  await chmod(login.path, 0o644);
  assert.equal((await logIn(env, person, url.href)).code, 0);
  assert.equal((await stat(login.path)).mode & 0o777, 0o600);
});

test("APP-8: with logins at two Clews, CLEW_URL says which is meant", async (t) => {
  const { url } = await sharedClew();
  const person = await somebody();
  const env = await home(t);
  await logIn(env, person, url.href);
  const other = await serve(
    t,
    answersFor(({ issuer }) => metadataOf(issuer)),
  );
  const running = start(env, ["login", other]);
  const { searchParams } = await running.opened;
  const redirect = new URL(searchParams.get("redirect_uri") ?? "");
  redirect.search = new URLSearchParams({
    state: searchParams.get("state") ?? "",
    code: "a",
    iss: other,
  }).toString();
  await fetch(redirect);
  assert.equal((await running.ended).code, 0);
  const { code, said } = await run(env, "whoami");
  assert.equal(code, 2);
  assert.ok(said.includes(other) && said.includes(url.host), said);
  assert.equal((await run({ ...env, CLEW_URL: url.href }, "whoami")).code, 0);
});

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
});

/** A server with metadata, which gives a token for any code. */
function answersFor(metadata: (at: { readonly issuer: string }) => object): RequestListener {
  return ({ url, headers }, response) => {
    const isMetadata = url?.startsWith("/.well-known/") ?? false;
    const token = { access_token: `svc_${"a".repeat(32)}`, token_type: "Bearer", expires_in: 60, scope: "" };
    const body = isMetadata ? metadata({ issuer: `http://${headers.host}` }) : token;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

const impostors: Readonly<Record<string, readonly [RequestListener, number, RegExp]>> = {
  "another issuer": [
    answersFor(() => metadataOf("https://clew.example")),
    2,
    /another address: https:\/\/clew\.example\./,
  ],
  "an endpoint of another server": [
    answersFor(({ issuer }) => ({ ...metadataOf(issuer), token_endpoint: "https://other.example/token" })),
    3,
    /an address of another server for token_endpoint/,
  ],
  "a page instead of metadata": [
    (_, response) => void response.end("<h1>Hello</h1>"),
    4,
    /Something else than Clew/,
  ],
  "a redirect": [(_, response) => void response.writeHead(302, { location: "/" }).end(), 4, /status 302/],
  "no metadata": [(_, response) => void response.writeHead(404).end(), 3, /OAUTH_CLIENTS/],
  "a broken connection": [(request) => void request.socket.resetAndDestroy(), 4, /does not answer/],
};

for (const [about, [listener, expected, message]] of Object.entries(impostors))
  test(`APP-8: clew login stops before the browser: ${about}`, async (t) => {
    const running = start(await home(t), ["login", await serve(t, listener)]);
    const { code, said } = await running.ended;
    await assert.rejects(running.opened, /no browser was opened/);
    assert.equal(code, expected, said);
    assert.match(said, message);
  });

test("APP-8: clew login and logout are refused without a valid address", async (t) => {
  const env = await home(t);
  for (const word of ["login", "logout"]) {
    assert.equal((await run(env, word)).code, 2);
    assert.equal((await run(env, word, "clew.example")).code, 2);
    assert.equal((await run(env, word, "https://a:hidden@clew.example")).code, 2);
  }
  const homeless = await run({}, "login", "https://clew.example");
  assert.equal(homeless.code, 2);
  assert.match(homeless.said, /XDG_CONFIG_HOME/);
});
