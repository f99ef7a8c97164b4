import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { captureOutput } from "@clew/cli/testing";
import { failureOf } from "../../packages/server/src/cli/failure.ts";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { freePort } from "../support/clew-process.ts";
import { startRunning } from "../support/running-clew.ts";

type Settings = Readonly<Record<string, string>>;

/** Runs a command in this process. Returns what it printed and its exit code. */
async function run(
  env: Settings,
  words: readonly string[],
  options: { fetch?: typeof fetch; clock?: () => number } = {},
) {
  const lines: string[] = [];
  const { reading } = captureOutput();
  const program = buildProgram({
    env,
    fromEnvFile: new Set(),
    ...(options.clock && { clock: options.clock }),
    random: randomBytes,
    print: (line) => lines.push(line),
    writeLog: (line) => assert.fail(line),
    serve: async () => assert.fail("it served"),
    reading: { ...reading, fetch: options.fetch ?? fetch },
  });
  const { exitCode, message } = await program.parseAsync([...words], { from: "user" }).then(
    () => ({ exitCode: 0, message: "" }),
    (error: unknown) => failureOf(error),
  );
  assert.notEqual(message, null, "a bug");
  return { code: exitCode, output: lines.join("\n"), said: message ?? "" };
}

/** Answers in place of Clew, or changes what passes: returns whether it has answered. */
type Misbehaviour = (request: IncomingMessage, response: ServerResponse, answer: Passed) => boolean;

/** An answer of Clew, before it is passed on. */
interface Passed {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** A proxy before a Clew with PUBLIC_URL, and how it misbehaves now. */
interface Stage {
  readonly env: Settings;
  behave: Misbehaviour;
  /** Changes a request before it reaches Clew. */
  alter: (request: IncomingMessage) => { readonly url: string; readonly headers: IncomingMessage["headers"] };
  buffers: boolean;
}

const passOn: Stage["alter"] = ({ url = "/", headers }) => ({ url, headers });
const wellBehaved = { behave: () => false, alter: passOn, buffers: false };

async function openStage(path: string): Promise<{ stage: Stage; close(): Promise<void> }> {
  const [port, publicPort] = [await freePort(), await freePort()];
  const env = { PORT: String(port), PUBLIC_URL: `http://localhost:${publicPort}${path}` };
  const stage: Stage = { env, ...wellBehaved };
  const proxy = createServer((request, response) => {
    const { url, headers } = stage.alter(request);
    const passed = forward(
      { port, host: "127.0.0.1", method: request.method, path: url, headers },
      (answer) => {
        // A stream passes as it comes, unless the proxy buffers.
        if (answer.headers["content-type"]?.startsWith("text/event-stream") && !stage.buffers) {
          const seen = { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.alloc(0) };
          if (stage.behave(request, response, seen)) return void answer.resume();
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          return void answer.pipe(response);
        }
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const whole = {
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          };
          if (!stage.behave(request, response, whole))
            response.writeHead(whole.status, whole.headers).end(whole.body);
        });
      },
    );
    passed.on("error", () => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
    request.pipe(passed);
  }).listen(publicPort, "127.0.0.1");
  const clew = await startRunning({ env });
  return {
    stage,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      await clew.stop();
    },
  };
}

const opened: Awaited<ReturnType<typeof openStage>>[] = [];
let root: Stage;
let below: Stage;
before(async () => {
  opened.push(...(await Promise.all([openStage(""), openStage("/clew")])));
  const [first, second] = opened.map(({ stage }) => stage);
  assert.ok(first && second);
  [root, below] = [first, second];
});
after(async () => {
  for (const { close } of opened) await close();
});

/** `clew doctor --public` while a proxy misbehaves. */
async function inspect(stage: Stage, behaviour: Partial<Omit<Stage, "env">>) {
  Object.assign(stage, wellBehaved, behaviour);
  try {
    return await run(stage.env, ["doctor", "--public"]);
  } finally {
    Object.assign(stage, wellBehaved);
  }
}

test("OPS-10: clew doctor --public finds nothing wrong with a proxy that passes everything on, with and without a path", async () => {
  for (const stage of [root, below]) {
    const { code, output, said } = await inspect(stage, {});
    assert.equal(code, 0, `${output}\n${said}`);
    assert.doesNotMatch(output, /^failed/m);
    assert.equal(output.match(/^ok /gm)?.length, 9, output);
    // An address of this machine alone.
    assert.match(output, /^warning +address: .* is this machine alone\n +Hosted agents .* https\./m);
  }
});

/** A body of Clew with another text in place of one. */
const replaced =
  (text: string, by: string): Misbehaviour =>
  (_request, response, { status, headers, body }) => {
    const { "content-length": _, ...others } = headers;
    response.writeHead(status, others).end(body.toString().replaceAll(text, by));
    return true;
  };

const withHeaders =
  (change: Readonly<Record<string, string | undefined>>, body = (given: Buffer) => given): Misbehaviour =>
  (_request, response, { status, headers, body: given }) => {
    const kept = Object.entries({ ...headers, "content-length": undefined, ...change });
    response
      .writeHead(status, Object.fromEntries(kept.filter(([, value]) => value !== undefined)))
      .end(body(given));
    return true;
  };

const answering =
  (status: number, text: string, headers: Record<string, string> = {}): Misbehaviour =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(text);
    return true;
  };

const only =
  (matches: (request: IncomingMessage) => boolean, behave: Misbehaviour): Misbehaviour =>
  (request, response, answer) =>
    matches(request) && behave(request, response, answer);

const of = (path: string) =>
  only(({ url = "" }) => url.startsWith(path), answering(404, "<h1>Not Found</h1>"));
const isAgent = ({ headers }: IncomingMessage) => headers["user-agent"]?.includes("Claude") ?? false;
const stored = new Map<string, Passed>();

const faults: Readonly<Record<string, readonly [Partial<Omit<Stage, "env">>, RegExp]>> = {
  "a redirect to https": [
    {
      behave(request, response, answer) {
        const location = `https://${request.headers.host}${request.url}`;
        return answering(301, "", { location })(request, response, answer);
      },
    },
    /is redirected to https:.*\n.*from one scheme to another/,
  ],
  "a sign-in of its own": [
    { behave: answering(302, "", { location: "https://sign-in.example/?secret=hidden" }) },
    /is redirected to https:\/\/sign-in\.example\/\n.*no sign-in of the proxy/,
  ],
  "agents that are blocked": [
    { behave: only(isAgent, answering(403, "<h1>Forbidden</h1>")) },
    /is refused for agents \(status 403, User-Agent Claude-User\), not for browsers\n.*no blocking of bots/,
  ],
  "a challenge for everybody": [
    { behave: answering(403, "<h1>Just a moment</h1>", { "cf-mitigated": "challenge" }) },
    /is refused before Clew \(status 403\)\n.*no challenges/,
  ],
  "a page with status 200": [
    { behave: answering(200, "<h1>Welcome</h1>") },
    /is answered by something else than Clew \(status 200, text\/html\)/,
  ],
  "a wrong issuer": [
    {
      behave: only(
        ({ url = "" }) => url.includes("authorization-server"),
        replaced('"issuer":"http://', '"issuer":"http://old.'),
      ),
    },
    /names the issuer "http:\/\/old\.localhost:\d+" instead of http:\/\/localhost/,
  ],
  "a wrong resource": [
    { behave: replaced("/api/v1/mcp", "/v1/mcp") },
    /names the resource "http:\/\/localhost:\d+\/v1\/mcp" instead of/,
  ],
  "a query that is dropped": [
    { alter: ({ url = "/", headers }) => ({ url: url.replace(/\?.*/, ""), headers }) },
    /queries in addresses: .*\n.*drops the query/,
  ],
  "a challenge that is dropped": [
    { behave: withHeaders({ "www-authenticate": undefined }) },
    /the 401 of GET .* does not lead to .*\n.*drops WWW-Authenticate/,
  ],
  "a token that is dropped": [
    { alter: ({ url = "/", headers: { authorization: _, ...headers } }) => ({ url, headers }) },
    /a token that is sent to .* does not arrive\n.*Authorization/,
  ],
  "forms that are refused": [
    {
      behave: only(
        ({ method, url = "" }) => method === "POST" && url.includes("/oauth/"),
        answering(405, "<h1>Not Allowed</h1>"),
      ),
    },
    /token endpoint: POST .* is answered by something else than Clew \(status 405/,
  ],
  "streams that are held back": [
    { buffers: true },
    /event streams: .* holds event streams back .*\n.*proxy_buffering off/,
  ],
  "compressed answers": [
    { behave: withHeaders({ "content-encoding": "gzip" }, gzipSync) },
    /the proxy compresses .*\/oauth\/token \(gzip\)\n.*Turn compression off/,
  ],
  "a cache that says so": [{ behave: withHeaders({ age: "12" }) }, /caches: a cache answers for Clew/],
  "a cache that does not say so": [
    {
      behave(request, response, answer) {
        const key = `${request.method} ${request.url} ${request.headers.authorization}`;
        const { status, headers, body } = stored.get(key) ?? answer;
        stored.set(key, { status, headers, body });
        response.writeHead(status, headers).end(body);
        return true;
      },
    },
    /caches: a cache answers for Clew/,
  ],
  "Cache-Control of its own": [
    { behave: withHeaders({ "cache-control": "public, max-age=60" }) },
    /Cache-Control arrives as "public, max-age=60", without no-store/,
  ],
  "no Clew behind it": [{ behave: answering(502, "<h1>Bad Gateway</h1>") }, /finds no Clew \(status 502\)/],
};

for (const [about, [behaviour, expected]] of Object.entries(faults))
  test(`OPS-10: clew doctor --public names the fault of a proxy: ${about}`, async () => {
    stored.clear();
    const { code, output, said } = await inspect(root, behaviour);
    assert.equal(code, 1, output);
    assert.match(output, expected);
    assert.match(said, /^\d+ of 10 checks failed\.$/);
    assert.doesNotMatch(output, /svc_|hidden/);
  });

test("OPS-10: clew doctor --public names a path that is lost", async () => {
  const atRoot = await inspect(below, { behave: of("/.well-known/") });
  assert.match(
    atRoot.output,
    /well-known\/oauth-protected-resource\/clew\/api\/v1\/mcp does not lead to Clew \(404\)\n.*because PUBLIC_URL has a path/,
  );
  const stripped = await inspect(below, {
    alter: ({ url = "/", headers }) => ({ url: url.replace("/clew/api", "/elsewhere/api"), headers }),
  });
  assert.match(
    stripped.output,
    /refusal without a token: GET .* has status 404 instead of 401\n.*pass both on as they are/,
  );
});

test("OPS-10: clew doctor --public names a PUBLIC_URL that is not that of the running Clew, and one that leads nowhere", async () => {
  const other = await run(
    { ...root.env, PUBLIC_URL: (root.env.PUBLIC_URL ?? "").replace("localhost", "127.0.0.1") },
    ["doctor", "--public"],
  );
  assert.match(
    other.output,
    /names the authorization server \["http:\/\/localhost:\d+"\] instead of http:\/\/127\.0\.0\.1.*\n.*PUBLIC_URL of the running Clew/,
  );
  const away = await run({ PUBLIC_URL: `http://localhost:${await freePort()}` }, ["doctor", "--public"]);
  assert.equal(away.code, 1);
  assert.match(away.output, /cannot be reached: .*\n.*Check the name localhost/);
});

test("OPS-10: clew doctor --public says that OAUTH_CLIENTS=off lets no program connect by URL", async (t) => {
  const clew = await startClew(t, { OAUTH_CLIENTS: "off" });
  const { code, output } = await run({ ...clew.settings, OAUTH_CLIENTS: "off" }, ["doctor", "--public"]);
  assert.equal(code, 0, output);
  assert.match(output, /^warning +programs: OAUTH_CLIENTS=off/m);
});

const key = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") };

/** A Clew, and the settings with which commands work on it. */
async function startClew(t: TestContext, env: Settings = {}) {
  const clew = await startRunning({ env: { ...key, ...env } });
  t.after(() => clew.stop());
  const { databaseLocation: at } = clew;
  const database = at.kind === "postgres" ? at.url : `sqlite:${at.path}`;
  const settings = { ...key, PORT: clew.url.port, DATA_DIR: clew.dataDir, DATABASE_URL: database };
  return { clew, settings };
}

test("OPS-10: clew doctor and clew health find nothing wrong with a Clew that runs", async (t) => {
  const { clew, settings } = await startClew(t);
  const { code, output } = await run(settings, ["doctor"]);
  assert.equal(code, 0, output);
  const names = output.split("\n").map((line) => /^(\w+) +([\w ]+):/.exec(line)?.slice(1).join(" "));
  assert.deepEqual(names, ["ok settings", "ok database", "ok disk", "ok provider", "ok clock", "ok server"]);
  // A file has no clock to compare with.
  assert.match(output, onPostgres ? /^ok +clock: .* the database's$/m : /^ok +clock: .* no other clock/m);
  assert.equal(
    (await run(settings, ["health"])).output,
    `Clew is ready at http://127.0.0.1:${clew.url.port}.`,
  );
});

test("OPS-10: clew health exits with 4 if Clew is not ready, and says why", async () => {
  const PORT = String(await freePort());
  const away = await run({ PORT }, ["health"]);
  assert.equal(away.code, 4);
  assert.match(away.said, /^Clew is not ready at http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  const stopping = async () => Response.json({ detail: "This instance is shutting down." }, { status: 503 });
  const { code, said } = await run({ PORT, HOST: "::1" }, ["health"], { fetch: stopping });
  assert.deepEqual(
    [code, said],
    [4, `Clew is not ready at http://[::1]:${PORT}: This instance is shutting down.`],
  );
  assert.equal((await run({ PORT: "x" }, ["health"])).code, 2);
});

test("OPS-10: clew doctor names what is wrong with an installation, and shows no secret", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "clew-doctor-"));
  t.after(() => rm(folder, { recursive: true }));
  const settings = { DATA_DIR: folder, PORT: String(await freePort()) };
  const wrong = await run({ ...settings, PORT: "x" }, ["doctor"]);
  assert.deepEqual([wrong.code, wrong.said], [1, "1 of 1 checks failed."]);
  assert.match(wrong.output, /^failed +settings: .*\n +.*\n? *.*PORT must be/m);

  const fresh = await run(settings, ["doctor"]);
  assert.equal(fresh.code, 0, fresh.output);
  assert.match(fresh.output, /^warning +database: .* does not exist yet$/m);
  assert.match(fresh.output, /^warning +server: .*ECONNREFUSED/m);

  await writeFile(join(folder, "clew.db"), "this is no database at all".repeat(100));
  const notion = {
    NOTION_CLIENT_ID: "an-id",
    NOTION_CLIENT_SECRET: "hidden-secret",
    ALLOWED_EMAILS: "@clew.example",
  };
  const away = async (address: string | URL | Request) => {
    if (String(address).includes("notion"))
      throw new TypeError("fetch failed", { cause: new Error("no such host") });
    return fetch(address);
  };
  const broken = await run({ ...settings, ...notion }, ["doctor"], { fetch: away as typeof fetch });
  assert.equal(broken.code, 1);
  assert.match(broken.output, /^failed +database: .*\n.*clew verify/m);
  assert.match(
    broken.output,
    /^failed +provider: https:\/\/api\.notion\.com cannot be reached: no such host\n.*DNS/m,
  );
  assert.doesNotMatch(broken.output, /hidden-secret/);

  for (const [seconds, state] of [
    [10, "ok"],
    [60, "warning"],
    [600, "failed"],
  ] as const) {
    const date = new Date(Date.now() - seconds * 1000).toUTCString();
    const answer = async () => new Response(null, { status: 401, headers: { date } });
    const { output } = await run({ ...settings, ...notion }, ["doctor"], { fetch: answer });
    assert.match(output, new RegExp(`^${state} +clock: `, "m"));
    assert.match(output, /^ok +provider: https:\/\/api\.notion\.com answers$/m);
  }
});

test("OPS-10: clew doctor looks at the folders that are sources, and asks no provider that is not one", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "clew-doctor-"));
  t.after(() => rm(folder, { recursive: true }));
  const settings = {
    DATA_DIR: join(folder, "data"),
    PORT: String(await freePort()),
    FOLDERS: `notes=${folder}, gone=${join(folder, "nowhere")}`,
  };
  const asked: string[] = [];
  const away = async (address: string | URL | Request) => {
    asked.push(new URL(String(address)).hostname);
    throw new TypeError("fetch failed");
  };
  const { code, output } = await run(settings, ["doctor"], { fetch: away });
  assert.equal(code, 1);
  assert.match(output, /^ok +folder notes: .* can be read$/m);
  assert.match(output, /^failed +folder gone: .*nowhere, which does not exist\n.*FOLDERS/m);
  assert.doesNotMatch(output, /provider/);
  assert.deepEqual(new Set(asked), new Set(["127.0.0.1"]));
});
