import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { before, test } from "node:test";
import { clientOperations, type OpenApi } from "../../scripts/client/write-api.ts";
import { pythonBlocks } from "../../scripts/client/write-python.ts";
import { createToken, signIn } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";

const folder = join(import.meta.dirname, "../../clients/python");
const path = join(folder, "clew.py");

const skip =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status !== 0 &&
  "there is no python3 of version 3.9 or newer";

let url: URL;
let token: string;

before(async () => {
  url = await syncedDemo();
  token = (await createToken(url, await signIn(url), "python")).token;
});

async function readDocument(): Promise<OpenApi> {
  const response = await fetch(new URL("api/v1/openapi.json", url));
  return JSON.parse(await response.text());
}

/** Runs a program beside the client, and returns the JSON that it prints. */
async function run(program: string, ...words: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { cwd: folder, env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: "1" } };
  const source = `import json, sys\nimport clew as module\nfrom clew import *\n${program}`;
  execFile("python3", ["-W", "error", "-c", source, ...words], options, (error, stdout, stderr) =>
    error === null ? resolve(stdout) : reject(new Error(stderr)),
  );
  return JSON.parse(await promise);
}

test("GRAPH-14: the Python client has the operations of the OpenAPI document", async () => {
  const before = readFileSync(path, "utf8");
  let written = before;
  for (const [name, block] of Object.entries(pythonBlocks(await readDocument()))) {
    const between = new RegExp(`(?<=# <${name}>\n)[^]*?(?= *# </${name}>)`);
    assert.match(before, between);
    written = written.replace(between, () => `${block}\n`);
  }
  if (process.env.WRITE_DOCS === "1") writeFileSync(path, written);
  else assert.equal(written === before, true, "clients/python is out of date: run npm run docs");
});

test("GRAPH-14: its methods take the parameters of the document, by name", { skip }, async () => {
  const methods: Record<string, string[]> = await run(`
import inspect
found = {
    name: [parameter.rstrip("_") for parameter in inspect.signature(method).parameters if parameter != "self"]
    for name, method in inspect.getmembers(Clew, inspect.isfunction) if not name.startswith("_")
}
print(json.dumps(found))
`);
  const own = ["iterate", "export_graph", "export_file", "get_map"];
  const wanted = clientOperations(await readDocument())
    .filter(({ path: written, isGraph }) => isGraph || written.startsWith("api/v1/"))
    .map(({ operationId, parameters = [] }): [string, string[]] => [
      operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      parameters.map(({ name }) => name).sort(),
    ]);
  const found = Object.entries(methods).filter(([name]) => !own.includes(name));
  assert.deepEqual(
    Object.fromEntries(found.map(([name, parameters]) => [name, parameters.sort()])),
    Object.fromEntries(wanted),
  );
});

test("the Python client reads a real Clew: lists, errors, and an export", { skip }, async () => {
  const found = await run(
    `
clew = Clew(sys.argv[1], sys.argv[2])
nodes = [item["node"] for item in clew.iterate("search_pages", limit=40)]
ids = [node["id"] for node in nodes[:3]]
pages = clew.get_pages(ids=ids)["items"]
nothing = clew.get_pages(ids=[])
paths = clew.find_paths(from_=ids[0], to=ids[0])["paths"]
changes = sum(1 for _ in clew.iterate("list_changes", limit=50))
try:
    clew.get_page(id="nothing/../token")
except ResponseError as error:
    refusal = [error.status, error.code, sys.argv[2] in str(error)]
exported = list(clew.export_graph(text=True))
with open("/dev/null", "wb") as file:
    clew.export_file(file, format="csv", part="nodes")
print(json.dumps([len(nodes), len(pages), nothing, len(paths), changes, refusal, sum("node" in item for item in exported), sys.argv[2] in repr(clew)]))
`,
    url.href,
    token,
  );
  assert.deepEqual(found, [
    113,
    3,
    { items: [], missing: [] },
    1,
    113,
    [404, "node_not_found", false],
    113,
    false,
  ]);
});

/** A server that gives these answers in turn. */
async function serve(
  answers: ((response: ServerResponse) => void)[],
): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => answers.shift()?.(response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}

const limited = (retryAfter: string) => (response: ServerResponse) =>
  void response.writeHead(429, { "retry-after": retryAfter }).end("{}");
const page = (response: ServerResponse) => void response.end('{"items": [], "next_cursor": null}');

test("LIM-2: the Python client waits as long as Retry-After says, within bounds", { skip }, async (t) => {
  const { server, url } = await serve([
    limited("7"),
    limited("Thu, 01 Jan 2026 00:00:09 GMT"),
    page,
    limited("61"),
  ]);
  t.after(() => server.close());
  const found = await run(
    `
waits = []
clew = Clew(sys.argv[1], "svc_t", sleep=waits.append, now=lambda: 1767225600)
clew.search_pages()
try:
    clew.search_pages()
except ResponseError as error:
    waits.append([error.status, error.retry_after])
print(json.dumps(waits))
`,
    url,
  );
  assert.deepEqual(found, [7, 9, [429, 61]]);
});

test("the Python client repeats reads whose connections break, and gives up after some", {
  skip,
}, async (t) => {
  const reset = (response: ServerResponse) => void response.socket?.resetAndDestroy();
  const end = (response: ServerResponse) => void response.socket?.end();
  const part = (response: ServerResponse) =>
    void response.writeHead(200, { "content-length": 40 }).write('{"items": ', () => response.destroy());
  const noJson = (response: ServerResponse) => void response.end('{"items": ');
  const { server, url } = await serve([reset, end, part, page, noJson, page, reset, reset, reset, reset]);
  t.after(() => server.close());
  const found = await run(
    `
waits = []
clew = Clew(sys.argv[1], "svc_t", sleep=waits.append, spread=lambda: 0.25)
clew.search_pages()
clew.search_pages()
try:
    clew.search_pages()
except ConnectionFailed:
    waits.append("failed")
print(json.dumps(waits))
`,
    url,
  );
  const [first, second, third] = [0.375, 0.75, 1.5];
  assert.deepEqual(found, [first, second, third, first, first, second, third, "failed"]);
});

test("the Python client sends its token over https, or to a program on the same machine", {
  skip,
}, async () => {
  const safe = ["https://clew.example", "http://localhost:8420", "http://127.0.0.1", "http://[::1]:1"];
  const others = [
    "http://clew.example",
    "http://127.0.0.1.example",
    "http://10.0.0.1",
    "ftp://localhost",
    "clew",
  ];
  const accepted: string[] = await run(
    `
accepted = []
for url in sys.argv[1:]:
    try:
        Clew(url, "svc_token")
        accepted.append(url)
    except ValueError as error:
        assert "https" in str(error) and "svc_token" not in str(error)
print(json.dumps(accepted))
`,
    ...safe,
    ...others,
  );
  assert.deepEqual(accepted, safe);
});

test("GRAPH-26: the Python client refuses an export that is not whole, and follows no redirect", {
  skip,
}, async (t) => {
  const whole = '{"node":{}}\n{"end":{"nodes":1,"edges":0}}\n';
  const elsewhere = await serve([page]);
  const { server, url } = await serve([
    (response) => response.end(whole),
    (response) => response.end('{"node":{}}\n'),
    (response) => response.end(whole.replace('"nodes":1', '"nodes":2')),
    (response) => response.end(whole.trimEnd()),
    (response) => void response.write('{"node":{}}\n', () => response.destroy()),
    (response) => void response.write("a,b", () => response.destroy()),
    (response) => response.writeHead(302, { location: elsewhere.url }).end(),
  ]);
  t.after(() => {
    server.close();
    elsewhere.server.close();
  });
  const found = await run(
    `
import io
clew = Clew(sys.argv[1], "svc_t", retries=0)
seen = []
def note(work):
    try:
        seen.append(work())
    except ClewError as error:
        seen.append(type(error).__name__)
for _ in range(5):
    note(lambda: len(list(clew.export_graph())))
note(lambda: clew.export_file(io.BytesIO(), format="graphml"))
note(clew.search_pages)
print(json.dumps(seen))
`,
    url,
  );
  const [first, ...others] = found;
  assert.equal(first, 1);
  assert.deepEqual(others.slice(0, 3), ["IncompleteExport", "IncompleteExport", "IncompleteExport"]);
  assert.ok(["IncompleteExport", "ConnectionFailed"].includes(others[3]), others[3]);
  assert.deepEqual(others.slice(4), ["ConnectionFailed", "ResponseError"]);
});
