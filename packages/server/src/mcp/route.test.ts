import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Problem, problems } from "@clew/contract";
import type { CallToolResult } from "@modelcontextprotocol/client";
import manifest from "../../package.json" with { type: "json" };
import { nodeId, referenceTo } from "../store/testing/scratch.ts";
import { stageAgent, use, workspace } from "./testing/agent-server.ts";

const pages = [
  { number: 1, given: { title: "Star" }, text: "Stars *shine*.", references: [referenceTo(2)] },
  { number: 2, given: { title: "Starling" }, references: [referenceTo(3)] },
  { number: 3, given: { title: "Bird" } },
];

const open = (t: TestContext) => stageAgent(t, pages);

/** A message of the protocol, or a problem document. */
interface Message extends Problem {
  readonly id?: unknown;
  readonly result: CallToolResult & { readonly protocolVersion?: string };
  readonly error: { readonly code: number };
}

const textOf = ([block]: CallToolResult["content"]): string => (block?.type === "text" ? block.text : "");

const messageOf = async (response: Response): Promise<Message> => Object(await response.json());

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } },
};

test("TOK-11: a valid service token is required, and its absence is refused as on other routes", async (t) => {
  const { server, owner, token } = await open(t);
  const statusWith = async (authorization?: string) => {
    const response = await server.post(hello, authorization ? { authorization } : {});
    return [response.status, response.headers.get("content-type"), (await messageOf(response)).code];
  };
  const problem = "application/problem+json";
  assert.deepEqual(await statusWith(), [401, problem, "unauthenticated"]);
  assert.deepEqual(await statusWith(`Bearer svc_${"a".repeat(32)}`), [401, problem, "token_invalid"]);
  assert.deepEqual(await statusWith(`Bearer ${owner.session.raw}`), [403, problem, "wrong_token_type"]);
  assert.equal((await statusWith(`Bearer ${token.raw}`))[0], 200);
});

test("AGT-5: clients of older protocol revisions are served, without sessions", async (t) => {
  const { server, token } = await open(t);
  const authorization = `Bearer ${token.raw}`;
  const greeted = await server.post(hello, { authorization });
  assert.equal(greeted.headers.get("mcp-session-id"), null);
  assert.equal((await messageOf(greeted)).result.protocolVersion, "2025-06-18");
  const call = { name: "search_pages", arguments: { query: "bird" } };
  const called = await server.post(
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
    { authorization, "mcp-protocol-version": "2025-06-18" },
  );
  assert.equal(called.status, 200);
  const { content } = (await messageOf(called)).result;
  assert.match(textOf(content), /- Bird \[/);
});

test("AGT-5: pages of other origins are refused, pages of Clew's origin and programs are served", async (t) => {
  const { server, token } = await open(t);
  const authorization = `Bearer ${token.raw}`;
  const codeFrom = async (origin: string, headers: Record<string, string> = { authorization }) => {
    const response = await server.post(hello, { ...headers, origin });
    return [response.status, (await messageOf(response)).code];
  };
  for (const origin of [
    "http://evil.example",
    "null",
    "https://clew.example.evil.example",
    "http://clew.example",
  ])
    assert.deepEqual(await codeFrom(origin), [403, "origin_not_allowed"], origin);
  assert.deepEqual(await codeFrom("http://evil.example", {}), [403, "origin_not_allowed"]);
  assert.deepEqual(await codeFrom("https://clew.example"), [200, undefined]);
});

test("AGT-5, APP-2: credentials are checked before the method, and a refusal leads apps to the metadata", async (t) => {
  const { server, owner, token } = await open(t);
  const ask = async (method: "GET" | "DELETE", headers: Record<string, string>) => {
    const {
      statusCode,
      headers: answered,
      body,
    } = await server.app.inject({ method, url: "/api/v1/mcp", headers });
    return [statusCode, JSON.parse(body).code, answered["www-authenticate"], answered.allow];
  };
  const challenge =
    'Bearer resource_metadata="https://clew.example/.well-known/oauth-protected-resource/api/v1/mcp", ' +
    'scope="graph:search graph:read graph:neighbors"';
  const invalid = `${challenge}, error="invalid_token", error_description="The token was not issued by this service."`;
  for (const method of ["GET", "DELETE"] as const) {
    assert.deepEqual(await ask(method, {}), [401, "unauthenticated", challenge, undefined]);
    const madeUp = { authorization: `Bearer svc_${"a".repeat(32)}` };
    assert.deepEqual(await ask(method, madeUp), [401, "token_invalid", invalid, undefined]);
    const session = { authorization: `Bearer ${owner.session.raw}` };
    assert.deepEqual(await ask(method, session), [403, "wrong_token_type", 'Bearer realm="clew"', undefined]);
    const right = { authorization: `Bearer ${token.raw}` };
    assert.deepEqual(await ask(method, right), [405, "method_not_allowed", undefined, "OPTIONS, POST"]);
    const foreign = { ...right, origin: "http://evil.example" };
    assert.deepEqual(await ask(method, foreign), [403, "origin_not_allowed", undefined, undefined]);
  }
});

test("AGT-5: only what is served is advertised, with Clew's version, in both eras", async (t) => {
  const { server, token } = await open(t);
  for (const era of ["2025", "2026"] as const) {
    const agent = await server.agent(token.raw, { era });
    const { tools, prompts, resources } = agent.getServerCapabilities() ?? {};
    assert.deepEqual(
      [tools?.listChanged, prompts?.listChanged, resources?.listChanged],
      [false, false, false],
      era,
    );
    assert.equal(resources?.subscribe, false);
    assert.deepEqual(
      agent.getServerVersion(),
      { name: "clew", title: "Clew", version: manifest.version },
      era,
    );
    assert.match(agent.getInstructions() ?? "", /information, not instructions/, era);
  }
});

test("AGT-5: lists say how long they may be kept, and that they are private", async (t) => {
  const { server, token } = await open(t);
  const agent = await server.agent(token.raw, { era: "2026" });
  const { ttlMs, cacheScope } = await agent.listTools();
  assert.deepEqual([Number(ttlMs) >= 60_000, cacheScope], [true, "private"]);
});

test("AGT-5: a subscription is refused as a method that does not exist, in both eras", async (t) => {
  const { server, token } = await open(t);
  const authorization = `Bearer ${token.raw}`;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "new", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const listen = (params: object, headers: Record<string, string>) =>
    server.post(
      { jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params },
      { authorization, ...headers },
    );
  const notifications = { toolsListChanged: true };
  const modern = await listen(
    { notifications, _meta: meta },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
  );
  assert.equal(modern.status, 404);
  for (const response of [
    modern,
    await listen({ notifications }, { "mcp-protocol-version": "2025-11-25" }),
  ]) {
    const { id, error } = await messageOf(response);
    assert.deepEqual([id, error.code], [7, -32601]);
  }
});

test("AGT-5: a client that takes nothing but JSON is served, and gets no stream", async (t) => {
  const { server, token } = await open(t);
  for (const accept of ["application/json", "application/json, text/event-stream", "*/*"]) {
    const response = await server.post(hello, { authorization: `Bearer ${token.raw}`, accept });
    assert.deepEqual(
      [response.status, response.headers.get("content-type")],
      [200, "application/json; charset=utf-8"],
      accept,
    );
  }
});

test("AGT-4: over the rate limit a tool's result says how long to wait; other messages get 429", async (t) => {
  const quota = 20;
  const { server, owner } = await stageAgent(t, pages, { tokenQuota: quota });
  const { raw } = await owner.token({ workspaceIds: [workspace] });
  const authorization = `Bearer ${raw}`;
  const call = { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "workspace_overview" } };
  for (let requests = 0; requests < quota; requests += 1) {
    const { status } = await server.post(call, { authorization });
    assert.equal(status, 200);
  }
  const limited = await server.post(call, { authorization });
  assert.equal(limited.status, 200);
  assert.match(String(limited.headers.get("retry-after")), /^\d+$/);
  const { id, result } = await messageOf(limited);
  assert.deepEqual([id, result.isError], ["a", true]);
  assert.match(textOf(result.content), /^rate_limited: .*Wait \d+ seconds?/);
  for (const message of [hello, { ...call, id: undefined }]) {
    const other = await server.post(message, { authorization });
    assert.deepEqual(
      [other.status, (await messageOf(other)).code],
      [problems.rate_limited.status, "rate_limited"],
    );
  }
});

test("OPS-5: agents' requests produce no output besides the log", async (t) => {
  const written = (["log", "info", "warn", "error"] as const).map((name) =>
    t.mock.method(console, name, () => {}),
  );
  const { server, token } = await open(t);
  for (const era of ["2025", "2026"] as const) {
    const agent = await server.agent(token.raw, { era });
    await agent.listTools();
    await use(agent, "search_pages", { query: "star", in: "titles" });
  }
  assert.deepEqual(
    written.map(({ mock }) => mock.callCount()),
    [0, 0, 0, 0],
  );
});

test("ERR-1: a body that is no protocol message is refused", async (t) => {
  const { server, token } = await open(t);
  const authorization = `Bearer ${token.raw}`;
  for (const message of [{}, [], null, 7, { jsonrpc: "1.0", id: 1, method: "ping" }, { id: 1 }, [hello]]) {
    const response = await server.post(message, { authorization });
    const { status, code, errors } = await messageOf(response);
    assert.deepEqual([status, code], [400, "invalid_request"], JSON.stringify(message));
    assert.ok(errors !== undefined && errors.length > 0);
  }
  const unknown = await server.post({ jsonrpc: "2.0", id: 1, method: "tools/bake" }, { authorization });
  assert.equal((await messageOf(unknown)).error.code, -32601);
});

test("ERR-4: the error of a failing tool is in the log, and the response reveals no internals", async (t) => {
  const { server, agent } = await open(t);
  await server.fixture.database.transaction((trx) =>
    trx.schema.alterTable("contents").renameTo("away").execute(),
  );
  const { isError, text } = await use(agent, "read_page", { page: nodeId(1) });
  assert.equal(isError, true);
  assert.match(text, /^internal: /);
  assert.doesNotMatch(text, /contents|sqlite|postgres|relation/i);
  assert.match(
    server.logged.join(""),
    /no such table: contents|relation .{0,3}contents.{0,3} does not exist/,
  );
});
