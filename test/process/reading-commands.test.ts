import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ReadingError } from "@clew/cli";
import { captureOutput } from "@clew/cli/testing";
import { createClient } from "@clew/client";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { runCommand, runCommandIn } from "../support/command-line.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, type SignedIn, signIn, waitForSync } from "../support/session.ts";

const hostile = "Red \\u001b[31malert\\u0007 \\u202egnp";

let folder: string;
let clew: RunningClew;
let session: SignedIn;
let env: Readonly<Record<string, string>>;
let jupiter: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "clew-reading-"));
  await writeFiles(folder, {
    "jupiter.md": markdownPage("Jupiter", "The largest planet. See [Earth](earth.md)."),
    "earth.md": markdownPage("Earth", "Our planet. See [the Moon](moon.md)."),
    "moon.md": markdownPage("Moon", "It has tides.", {
      updated: new Date(Date.now() - 3_600_000).toISOString(),
    }),
    "twins/a.md": markdownPage("Twin", "One of two."),
    "twins/b.md": markdownPage("Twin", "The other."),
    "stars/_database.yml": "title: Stars\nproperties:\n  Class: { type: select }\n",
    "stars/sirius.md": markdownPage("Sirius", "", { Class: "A" }),
    "stars/vega.md": markdownPage("Vega", "", { Class: "B" }),
    "lonely.md": markdownPage("Lonely", ""),
    "hostile.md": markdownPage(`"${hostile}"`, "Text \u001b[2J\u009b1m end. It lost [its end](nowhere.md)."),
  });
  clew = await startRunning({ directory: folder });
  session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "reader");
  env = { CLEW_URL: clew.url.href, CLEW_TOKEN: token };
  const { items } = await createClient({ url: clew.url, token }).searchPages({ q: "Jupiter" });
  jupiter = items[0]?.node.id ?? "";
});
after(async () => {
  await clew.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command in this process; on a terminal if `isTTY`. */
async function run(
  words: readonly string[],
  options: { isTTY?: boolean; columns?: number; input?: string[]; env?: object } = {},
) {
  const { reading, output, warnings } = captureOutput(options.input, options);
  const program = buildProgram({
    env: { ...env, ...options.env },
    fromEnvFile: new Set(),
    clock: Date.now,
    random: randomBytes,
    print: (line) => assert.fail(line),
    writeLog: (line) => assert.fail(line),
    serve: async () => assert.fail("it served"),
    reading,
  });
  const code = await program.parseAsync(words, { from: "user" }).then(
    () => 0,
    (error: unknown) => {
      if (!(error instanceof ReadingError)) throw error;
      warnings.push(error.message);
      return error.exitCode;
    },
  );
  return { code, output: output(), warnings: warnings.join("\n") };
}

// biome-ignore lint/suspicious/noExplicitAny: assertions check the shape
const lines = (output: string): any[] =>
  output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const short = () => jupiter.replaceAll("-", "").slice(-8);

test("OPS-7: clew search prints a table on a terminal, and JSON lines in a pipe", async () => {
  const table = await run(["search", "jupiter"], { isTTY: true });
  assert.match(table.output, /^id +title +type +updated +links\n/);
  assert.match(
    table.output,
    new RegExp(`^${short()} +Jupiter +page +2026-02-06 11:00 +\\d in, \\d out$`, "m"),
  );
  const [item] = lines((await run(["search", "jupiter"])).output);
  assert.deepEqual([item.node.id, item.match], [jupiter, "exact"]);
  assert.deepEqual(lines((await run(["search", "jupiter", "--json"], { isTTY: true })).output), [item]);
});

test("OPS-7: clew check broken prints a line for each broken link, whatever it prints to, and exits with 1", async () => {
  for (const isTTY of [true, false]) {
    const { code, output, warnings } = await run(["check", "broken"], { isTTY });
    assert.equal(code, 1);
    assert.match(
      output,
      /^Red alert {2}<U\+202E>gnp \[\w{8}\]: “It lost its end\.” → its end \[[\w-]{36}\]\n$/,
    );
    assert.equal(warnings, "1 broken link.");
  }
  const [item] = lines((await run(["check", "broken", "--json"], { isTTY: true })).output);
  assert.deepEqual([item.name, item.count, item.excerpts.length], ["its end", 1, 1]);
  const { code, output, warnings } = await run(["check", "broken", "--under", "Jupiter"]);
  assert.deepEqual([code, output, warnings], [0, "", ""]);
});

test("OPS-7: limit and skip take a part of a list, which the terminal says", async () => {
  const all = lines((await run(["search", "--sort", "title", "--limit", "100"])).output);
  assert.ok(all.length >= 8, `${all.length} pages`);
  assert.deepEqual(
    lines((await run(["search", "--sort", "title", "-n", "3", "--skip", "2"])).output),
    all.slice(2, 5),
  );
  const shown = await run(["search", "-n", "2"], { isTTY: true });
  assert.equal(shown.warnings, "There may be more: --skip 2");
});

test("OPS-7: the other commands find what the API has", async () => {
  assert.match((await run(["read", "Jupiter"])).output, /^The largest planet\. See \[Earth\]\(.*\)\.\n$/);
  const detail = lines((await run(["read", jupiter, "--json"])).output)[0];
  assert.deepEqual(
    [detail.title, detail.content_state, detail.markdown.length > 0],
    ["Jupiter", "ready", true],
  );
  const [link] = lines((await run(["links", "Jupiter", "--direction", "out", "--kind", "link"])).output);
  assert.deepEqual([link.node.title, link.edges[0].from], ["Earth", jupiter]);
  const path = await run(["path", "Jupiter", "Moon"], { isTTY: true });
  assert.match(path.output, /^Jupiter \[\w{8}\] -link-> Earth \[\w{8}\] -link-> Moon \[\w{8}\]\n$/);
  const around = await run(["path", "Jupiter", "Moon", "--avoid-hubs"], { isTTY: true });
  assert.equal(around.output, path.output, "no page is a hub");
  assert.match((await run(["links", "Earth"], { isTTY: true })).output, /Jupiter .*link from it/);
  const text = await run(["text", "largest", "planet"]);
  assert.equal(lines(text.output)[0].node.title, "Jupiter");
  const recent = lines((await run(["recent", "--since", "90d", "-n", "100"])).output);
  assert.ok(
    recent.some(({ node }) => node.title === "Moon"),
    "the moon changed lately",
  );
  const [who] = lines((await run(["whoami"])).output);
  assert.deepEqual([who.token.name, who.workspaces.length], ["reader", 1]);
  assert.match((await run(["whoami"], { isTTY: true })).output, /^token +reader \(svc_.*…\)$/m);
});

test("OPS-7: clew table lists the rows of a database", async () => {
  const rows = lines((await run(["table", "Stars"])).output);
  assert.deepEqual(
    rows.map(({ node }) => node.title),
    ["Sirius", "Vega"],
  );
  const table = await run(["table", "Stars", "--where", "Class = B"], { isTTY: true });
  assert.match(table.output, /^id +title +Class\n\w{8} +Vega +B\n$/);
  assert.equal((await run(["table", "Stars", "--where", "Colour = red"])).code, 2);
  assert.equal((await run(["table", "Jupiter"])).code, 2);
});

test("AGT-3: a page is named by id, URL, short id, title with short id, or a title that one page has", async () => {
  const { url } = lines((await run(["search", "jupiter"])).output)[0].node;
  for (const name of [
    jupiter,
    jupiter.replaceAll("-", ""),
    url,
    short(),
    `[${short()}]`,
    `Jupiter [${short()}]`,
    "jupiter",
  ]) {
    const { output, warnings } = await run(["read", name, "--json"]);
    assert.equal(lines(output)[0]?.id, jupiter, `${name}: ${warnings}`);
  }
  const twins = await run(["read", "Twin"]);
  assert.equal(twins.code, 2);
  assert.match(
    twins.warnings,
    /^Several pages are called "Twin": Twin \[\w{8,}\]; Twin \[\w{8,}\]\. Use the id/,
  );
  const nearly = await run(["read", "Jupitr"]);
  assert.equal(nearly.code, 1);
  assert.match(nearly.warnings, /Nearest titles: Jupiter \[/);
});

test("OPS-7: no title or text controls a terminal", async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
  for (const words of [
    ["search", "alert"],
    ["search", "alert", "--json"],
    ["links", "Red alert"],
    ["read", "Red alert"],
    ["text", "Text end"],
    ["recent", "--since", "90d"],
  ]) {
    const { output } = await run(words, { isTTY: true, columns: 40 });
    assert.doesNotMatch(output, controls, words.join(" "));
  }
  const narrow = await run(["search", "alert"], { isTTY: true, columns: 60 });
  assert.ok(
    narrow.output.split("\n").every((line) => [...line].length <= 60),
    narrow.output,
  );
});

test("GRAPH-26: clew export writes what the API sends, and fails if the end is missing", async (t) => {
  const exported = await run(["export", "--text"]);
  const all = lines(exported.output);
  assert.deepEqual([exported.code, Object.keys(all.at(-1))], [0, ["end"]]);
  assert.match(
    (await run(["export", "--format", "csv", "--part", "edges"])).output,
    /^from,to,type,name,count\r\n/,
  );
  assert.match((await run(["export", "--format", "graphml"])).output, /<\/graphml>\n$/);
  assert.equal((await run(["export", "--format", "csv"])).code, 2);
  const server = createServer((_request, response) => response.end('{"node":{}}\n')).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const broken = await run(["export"], { env: { CLEW_URL: url } });
  assert.deepEqual([broken.code, broken.output], [4, '{"node":{}}\n']);
});

test("GRAPH-37: clew search and clew text say on a terminal how many pages match without their filters", async () => {
  const on = async (...words: string[]) => (await run(words, { isTTY: true })).warnings;
  const one = "Nothing was found with these filters; without them, 1 page matches.";
  assert.equal(await on("search", "Jupiter", "--type", "database"), one);
  assert.equal(await on("text", "tides", "--updated-before", "50y"), one);
  assert.match(await on("search", "Twin", "--type", "tag"), /without them, 3 pages match\.$/);
  assert.equal(await on("search", "zzzz", "--type", "database"), "Nothing was found.");
  assert.deepEqual(await run(["search", "Jupiter", "--type", "database"]), {
    code: 1,
    output: "",
    warnings: "",
  });
});

test("OPS-7: the exit code says whether something was found, and what failed", async () => {
  const codeOf = async (words: string[], settings: object = {}) => (await run(words, { env: settings })).code;
  assert.equal(await codeOf(["search", "nowhere to be found"]), 1);
  assert.equal(await codeOf(["path", "Jupiter", "Moon"]), 0);
  assert.equal(await codeOf(["path", "Jupiter", "Lonely"]), 1);
  assert.equal(await codeOf(["links", "Lonely", "--kind", "relation"]), 1);
  assert.equal(await codeOf(["read", "Lonely"]), 1);
  assert.equal(await codeOf(["search", "--updated-after", "soon"]), 2);
  assert.equal(await codeOf(["search"], { CLEW_URL: "" }), 2);
  assert.equal(await codeOf(["search"], { CLEW_TOKEN: "" }), 2);
  assert.equal(await codeOf(["search", "--workspace", "Elsewhere"]), 3);
  assert.equal(await codeOf(["search"], { CLEW_TOKEN: `svc_${"x".repeat(32)}` }), 3);
  const { access } = session;
  assert.equal(await codeOf(["search"], { CLEW_TOKEN: access.slice(0, -1) }), 3);
  const { items } = await clientOf(clew.url, session).listWorkspaces();
  const narrow = await clientOf(clew.url, session).createServiceToken({
    name: "narrow",
    scopes: ["graph:search"],
    workspace_ids: items.map(({ id }) => id),
  });
  const refused = await run(["read", jupiter], { env: { CLEW_TOKEN: narrow.token } });
  assert.equal(refused.code, 3);
  assert.match(refused.warnings, /graph:read/);
});

test("APP-8: without an address and a login, a command says how to log in", async () => {
  const nowhere = { CLEW_URL: "", CLEW_TOKEN: "", XDG_CONFIG_HOME: join(folder, "no logins") };
  const { code, warnings } = await run(["search"], { env: nowhere });
  assert.equal(code, 2);
  assert.match(warnings, /^There is no login\. Run `clew login <url>`/);
});

test("OPS-7: a process needs CLEW_URL and a token alone, which it also reads from a file", async (t) => {
  const file = join(await mkdtemp(join(tmpdir(), "clew-token-")), "token");
  t.after(() => rm(join(file, ".."), { recursive: true }));
  await writeFile(file, `${env.CLEW_TOKEN}\n`);
  const settings = { CLEW_URL: env.CLEW_URL ?? "", CLEW_TOKEN_FILE: file };
  const found = await runCommand(settings, "search", "jupiter");
  assert.deepEqual([found.code, found.errors, lines(found.output)[0].node.id], [0, "", jupiter]);
  const nothing = await runCommand(settings, "search", "nowhere");
  assert.deepEqual([nothing.code, nothing.output, nothing.errors], [1, "", ""]);
  const away = await runCommand({ ...settings, CLEW_TOKEN_FILE: "/nowhere" }, "whoami");
  assert.deepEqual([away.code, away.errors], [2, "CLEW_TOKEN_FILE names /nowhere, which cannot be read.\n"]);
  assert.equal((await runCommandIn(join(file, ".."), settings, "search", "--limit", "0")).code, 2);
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

test("AGT-7: clew mcp hands messages on, in the order that the protocol needs", async () => {
  const messages = [
    initialize,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: "a", method: "tools/list" },
    {
      jsonrpc: "2.0",
      id: 3,
      method: "tools/call",
      params: { name: "search_pages", arguments: { query: "jupiter" } },
    },
  ].map((message) => `${JSON.stringify(message)}\n`);
  const { output, code, warnings } = await run(["mcp"], { input: [...messages, "no JSON\n"] });
  const answers = new Map(lines(output).map((answer) => [answer.id, answer]));
  assert.deepEqual([code, warnings], [0, ""]);
  assert.equal(answers.get(1).result.serverInfo.name, "clew");
  assert.ok(answers.get("a").result.tools.length >= 3);
  assert.match(answers.get(3).result.content[0].text, /Jupiter/);
  assert.equal(answers.get(null).error.code, -32700);
  assert.equal(answers.size, 4);
});

test("AGT-7: clew mcp serves clients of the newer revision", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const call = { name: "read_page", arguments: { page: "Jupiter" }, _meta: meta };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  const [answer] = lines((await run(["mcp"], { input: [`${JSON.stringify(message)}\n`] })).output);
  assert.match(JSON.stringify(answer.result ?? answer.error), /largest planet/);
});

test("AGT-7: clew mcp says plainly that the token is wrong or revoked, or that Clew cannot be reached", async () => {
  const revoked = await createToken(clew.url, session, "revoked");
  await clientOf(clew.url, session).revokeServiceToken({ id: revoked.id });
  const input = [`${JSON.stringify(initialize)}\n`, '{"jsonrpc":"2.0","id":2,"method":"ping"}\n'];
  for (const [settings, message] of [
    [{ CLEW_TOKEN: revoked.token }, /refuses the token in CLEW_TOKEN\. The token was revoked/],
    [{ CLEW_TOKEN: `svc_${"x".repeat(32)}` }, /refuses the token in CLEW_TOKEN\. The token was not issued/],
    [{ CLEW_URL: "http://127.0.0.1:1" }, /cannot be reached/],
  ] as const) {
    const { output, warnings } = await run(["mcp"], { input, env: settings });
    assert.deepEqual(
      lines(output).map(({ id }) => id),
      [1, 2],
    );
    for (const { error } of lines(output)) assert.match(error.message, message);
    assert.match(warnings, message);
    assert.equal(warnings.includes("svc_"), false);
  }
});
