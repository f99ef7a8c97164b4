import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readingGroup } from "@clew/cli";
import { captureOutput } from "@clew/cli/testing";
import { type ProblemCode, problems, scopeNames } from "@clew/contract";
import { failureOf } from "../../packages/server/src/cli/failure.ts";
import { buildProgram } from "../../packages/server/src/cli/program.ts";
import { freePort } from "../support/clew-process.ts";
import { serve } from "../support/local-server.ts";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { type RunningClew, startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, type SignedIn, signIn, waitForSync } from "../support/session.ts";

/** A call of a reading command for each exit code. */
interface Row {
  /** Arguments with which it finds something. */
  readonly found: readonly string[];
  /** Arguments with which it finds nothing; null for a command that always finds something. */
  readonly nothing: readonly string[] | null;
  /** Arguments that Clew, not the command line, says are wrong; null if there are none. */
  readonly wrong: readonly string[] | null;
  /** The scope that it needs; null if any will do. */
  readonly scope: (typeof scopeNames)[number] | null;
}

const unknownId = "00000000-0000-4000-8000-000000000000";

const rows: Readonly<Record<string, Row>> = {
  search: {
    found: ["jupiter"],
    nothing: ["nowhere to be found"],
    wrong: ["--is", "orphans"],
    scope: "graph:search",
  },
  text: {
    found: ["largest"],
    nothing: ["xylophone"],
    wrong: ["a", "--is", "orphans"],
    scope: "graph:search",
  },
  read: { found: ["Jupiter"], nothing: [unknownId], wrong: null, scope: "graph:read" },
  links: {
    found: ["Jupiter"],
    nothing: ["Jupiter", "--kind", "relation"],
    wrong: ["Jupiter", "--kind", "links"],
    scope: "graph:neighbors",
  },
  path: {
    found: ["Jupiter", "Earth"],
    nothing: ["Jupiter", "Lonely"],
    wrong: null,
    scope: "graph:neighbors",
  },
  recent: {
    found: ["--since", "90d"],
    nothing: ["--since", "2999-01-01"],
    wrong: ["--since", "soon"],
    scope: "graph:read",
  },
  table: {
    found: ["Stars"],
    nothing: ["Stars", "--where", "Name = nowhere"],
    wrong: ["Stars", "--where", "Colour = red"],
    scope: "graph:read",
  },
  // A check looks for faults: 1 says that there are some.
  check: {
    found: ["broken", "--under", "Jupiter"],
    nothing: ["broken"],
    wrong: ["broken", "--under", unknownId],
    scope: "graph:read",
  },
  export: { found: [], nothing: null, wrong: ["--format", "csv"], scope: "graph:read" },
  whoami: { found: [], nothing: null, wrong: null, scope: null },
};

/** Reads nothing itself: it answers each message with what its request met. */
const bridge = "mcp";

let folder: string;
let clew: RunningClew;
let session: SignedIn;
let token: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "clew-exit-"));
  await writeFiles(folder, {
    "jupiter.md": markdownPage("Jupiter", "The largest planet. See [Earth](earth.md)."),
    "earth.md": markdownPage("Earth", "Our planet."),
    "lonely.md": markdownPage("Lonely", ""),
    "loose.md": markdownPage("Loose", "It lost [its end](nowhere.md)."),
    "stars/_database.yml": "title: Stars\nproperties:\n  Class: { type: select }\n",
    "stars/sirius.md": markdownPage("Sirius", "", { Class: "A" }),
  });
  clew = await startRunning({ directory: folder });
  session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  token = (await createToken(clew.url, session, "reader")).token;
});
after(async () => {
  await clew.stop();
  await rm(folder, { recursive: true });
});

/** The command line, with what it says on standard error. */
function buildCommands(env: Readonly<Record<string, string>>, timeoutMs?: number) {
  const { reading, warnings } = captureOutput([], timeoutMs === undefined ? {} : { timeoutMs });
  const program = buildProgram({
    env,
    fromEnvFile: new Set(),
    random: randomBytes,
    print: (line) => assert.fail(line),
    writeLog: (line) => assert.fail(line),
    serve: async () => assert.fail("it served"),
    reading,
  });
  for (const command of program.commands)
    command.configureOutput({ writeErr: (text) => void warnings.push(text.trim()) });
  return { program, warnings };
}

/** The exit code of a command, and what it said. */
async function run(
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  timeoutMs?: number,
) {
  const { program, warnings } = buildCommands(
    { CLEW_URL: clew.url.href, CLEW_TOKEN: token, ...settings },
    timeoutMs,
  );
  const failure = await program.parseAsync(words, { from: "user" }).then(
    () => ({ exitCode: 0, message: "" }),
    (error: unknown) => failureOf(error),
  );
  return { ...failure, said: [...warnings, failure.message].join("\n") };
}

/** Checks a command's exit code in a situation. What it says holds no token, and only nothing found goes without saying. */
function expectCode(
  { exitCode, said, message }: Awaited<ReturnType<typeof run>>,
  expected: number,
  about: string,
): void {
  assert.notEqual(message, null, `${about}: a bug`);
  assert.equal(exitCode, expected, `${about}: ${said}`);
  assert.equal(said.includes("svc_x") || said.includes(token), false, about);
  if (expected > 1) assert.notEqual(said.trim(), "", about);
}

function sendProblem(response: ServerResponse, code: ProblemCode): void {
  const { status, title } = problems[code];
  const body = {
    type: `urn:clew:problem:${code}`,
    title,
    status,
    code,
    detail: `${title}.`,
    request_id: "r",
  };
  response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(body));
}

test("OPS-7: every reading command has a row here", () => {
  const commands = buildCommands({}).program.commands.filter((each) => each.helpGroup() === readingGroup);
  const names = commands.map((command) => command.name());
  assert.deepEqual(names.toSorted(), [...Object.keys(rows), bridge].toSorted());
});

for (const [name, row] of Object.entries(rows)) {
  const found = [name, ...row.found];

  test(`OPS-7: clew ${name} exits with 0 if something was found, and 1 if nothing was`, async () => {
    expectCode(await run(found), 0, "found");
    if (row.nothing !== null) expectCode(await run([name, ...row.nothing]), 1, "nothing");
  });

  test(`OPS-7: clew ${name} exits with 2 if it was called incorrectly`, async () => {
    expectCode(await run([...found, "--no-such-option"]), 2, "an unknown option");
    if (row.wrong !== null) expectCode(await run([name, ...row.wrong]), 2, "an invalid value");
    for (const settings of [
      { CLEW_URL: "" },
      { CLEW_URL: "clew.example" },
      { CLEW_URL: "http://clew.example" },
      { CLEW_URL: "http://user:hidden@127.0.0.1:1" },
      { CLEW_TOKEN: "" },
      { CLEW_TOKEN: "", CLEW_TOKEN_FILE: "/nowhere" },
      { CLEW_URL: `${clew.url.href}elsewhere` },
    ]) {
      const ended = await run(found, settings);
      expectCode(ended, 2, JSON.stringify(settings));
      assert.doesNotMatch(ended.said, /hidden/);
    }
  });

  test(`OPS-7: clew ${name} exits with 3 if it was refused`, async (t) => {
    const revoked = await createToken(clew.url, session, "revoked");
    await clientOf(clew.url, session).revokeServiceToken({ id: revoked.id });
    const tokens = [`svc_${"x".repeat(32)}`, revoked.token, session.access.slice(0, -1)];
    if (row.scope !== null) {
      const { scope } = row;
      const { items } = await clientOf(clew.url, session).listWorkspaces();
      const narrow = await clientOf(clew.url, session).createServiceToken({
        name: "narrow",
        scopes: scopeNames.filter((each) => each !== scope),
        workspace_ids: items.map(({ id }) => id),
      });
      tokens.push(narrow.token);
      await clientOf(clew.url, session)
        .revokeServiceToken({ id: narrow.id })
        .catch(() => {});
    }
    for (const [index, CLEW_TOKEN] of tokens.entries())
      expectCode(await run(found, { CLEW_TOKEN }), 3, `token ${index}`);
    const gate = await serve(t, (_request, response) => response.writeHead(403).end("<h1>Forbidden</h1>"));
    expectCode(await run(found, { CLEW_URL: gate }), 3, "refused before Clew");
  });

  test(`OPS-7: clew ${name} exits with 4 if Clew cannot be reached, is busy or fails`, async (t) => {
    const situations: Readonly<Record<string, RequestListener>> = {
      "a reset connection": (request) => void request.socket.resetAndDestroy(),
      "an end within the response": (_request, response) =>
        void response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
      "a proxy without a service": (_request, response) =>
        response.writeHead(502).end("<h1>Bad Gateway</h1>"),
      "another service": (_request, response) => response.writeHead(404).end("<h1>Not Found</h1>"),
      internal: (_request, response) => sendProblem(response, "internal"),
      unavailable: (_request, response) => sendProblem(response, "unavailable"),
      rate_limited: (_request, response) => sendProblem(response, "rate_limited"),
    };
    for (const [about, listener] of Object.entries(situations))
      expectCode(await run(found, { CLEW_URL: await serve(t, listener) }), 4, about);
    expectCode(await run(found, { CLEW_URL: `http://127.0.0.1:${await freePort()}` }), 4, "nobody listens");
    const silent = await serve(t, () => {});
    expectCode(await run(found, { CLEW_URL: silent }, 20), 4, "no response in time");
  });
}

test("OPS-7: clew check broken exits with 4 if it found nothing, but no sync was ever complete", async (t) => {
  for (const [completeAsOf, code] of [
    [null, 4],
    ["2026-01-01T00:00:00.000Z", 0],
  ] as const) {
    const CLEW_URL = await serve(t, ({ url }, response) => {
      const workspace = { id: "a", name: "A", complete_as_of: completeAsOf };
      const items = url?.includes("/workspaces/") ? [workspace] : [];
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ items, total: 0, next_cursor: null }));
    });
    expectCode(await run(["check", "broken"], { CLEW_URL }), code, `complete as of ${completeAsOf}`);
  }
});

test(`OPS-7: clew ${bridge} exits with 2 without the settings that it needs`, async () => {
  expectCode(await run([bridge], { CLEW_URL: "" }), 2, "no address");
  expectCode(await run([bridge], { CLEW_TOKEN: "" }), 2, "no token");
  expectCode(await run([bridge, "--no-such-option"]), 2, "an unknown option");
});
