import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Scope, type ToolName, tools } from "@clew/contract";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type GraphServer, serveGraphs } from "../api/graph/testing/graph-server.ts";
import { nodeId, referenceTo } from "../store/testing/scratch.ts";
import { mcpRoute } from "./route.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const pages = [
  { number: 1, given: { title: "Star" }, text: "Stars *shine*.", references: [referenceTo(2)] },
  { number: 2, given: { title: "Starling" }, references: [referenceTo(3)] },
  { number: 3, given: { title: "Bird" } },
];

interface Agents extends GraphServer {
  /** The official client of the protocol, with this token. */
  agent(token: string): Promise<Client>;
  /** Posts a message as it is. */
  post(message: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

async function serveAgents(t: TestContext): Promise<Agents> {
  const server = await serveGraphs(t, async (app, { v1, refusedUse, fixture }) => {
    const parts = { refusedUse, clock: fixture.clock };
    await app.register((scope) => mcpRoute(scope, v1, parts), { prefix: "/api/v1/mcp" });
  });
  const origin = await server.app.listen({ host: "127.0.0.1", port: 0 });
  const url = new URL("/api/v1/mcp", origin);
  return {
    ...server,
    async agent(token) {
      const client = new Client({ name: "a test", version: "1" });
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      t.after(() => client.close());
      return client;
    },
    post: (message, headers = {}) =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify(message),
      }),
  };
}

async function settle(t: TestContext, scopes?: readonly Scope[]) {
  const server = await serveAgents(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace], ...(scopes && { scopes }) });
  return { server, owner, token, agent: await server.agent(token.raw) };
}

// biome-ignore lint/suspicious/noExplicitAny: assertions check the shape
type ToolMessage = any;

const use = async (
  agent: Client,
  name: ToolName,
  input: Record<string, unknown> = {},
): Promise<ToolMessage> => agent.callTool({ name, arguments: input });

/** The arguments of each tool in these tests, and the path below V1 with the same result. */
const questions: Readonly<Record<ToolName, readonly [input: Record<string, unknown>, path: string]>> = {
  list_workspaces: [{}, "/workspaces/"],
  search_nodes: [{ q: "star", limit: 1 }, "/search/?q=star&limit=1"],
  get_node: [{ id: nodeId(1) }, `/nodes/${nodeId(1)}/`],
  get_nodes: [{ ids: `${nodeId(1)},${nodeId(9)}` }, `/nodes/?ids=${nodeId(1)},${nodeId(9)}`],
  read_content: [
    { id: nodeId(1), offset: 2, max_chars: 5 },
    `/nodes/${nodeId(1)}/content/?offset=2&max_chars=5`,
  ],
  get_neighbors: [{ id: nodeId(2), direction: "in" }, `/nodes/${nodeId(2)}/neighbors/?direction=in`],
  find_paths: [{ from: nodeId(1), to: nodeId(3) }, `/paths/?from=${nodeId(1)}&to=${nodeId(3)}`],
  list_changes: [{ limit: 2 }, "/changes/?limit=2"],
};

test("GRAPH-13: the operations of V1 are tools for agents, each with input and output schemas", async (t) => {
  const { agent } = await settle(t);
  const listed = (await agent.listTools()).tools;
  assert.deepEqual(
    listed.map(({ name }) => name),
    Object.keys(tools),
  );
  for (const { name, description, inputSchema, outputSchema, annotations } of listed) {
    assert.ok((description ?? "").length > 40, name);
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.equal(outputSchema?.type, "object", name);
    assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /"\$ref":"[^#]|"\$id"/, name);
    assert.equal(annotations?.readOnlyHint, true, name);
  }
  assert.match(agent.getInstructions() ?? "", /not as instructions/);
});

test("GRAPH-13: a tool returns the same message as its route", async (t) => {
  const { agent, token } = await settle(t);
  for (const [name, [input, path]] of Object.entries(questions)) {
    const { structuredContent, content, isError } = await use(agent, name as ToolName, input);
    assert.notEqual(isError, true, `${name}: ${JSON.stringify(content)}`);
    const { body } = await token.get(path);
    assert.deepEqual(structuredContent, body, name);
    const [{ text }] = content;
    if (name === "read_content") assert.equal(text, body.markdown);
    else assert.deepEqual(JSON.parse(text), body, name);
  }
});

test("GRAPH-12: a cursor from a tool continues the list, also through the route", async (t) => {
  const { agent, token } = await settle(t);
  const first = (await use(agent, "search_nodes", { q: "star", limit: 1 })).structuredContent;
  const input = { q: "star", limit: 1, cursor: first.next_cursor };
  const second = (await use(agent, "search_nodes", input)).structuredContent;
  assert.deepEqual(
    [first, second].map(({ items }) => items[0].node.title),
    ["Star", "Starling"],
  );
  assert.equal(second.next_cursor, null);
  const { body } = await token.get(`/search/?q=star&limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual(body, second);
});

test("GRAPH-10: each scope permits only its own tools", async (t) => {
  const { server, owner } = await settle(t);
  const open: Readonly<Record<Scope, readonly ToolName[]>> = {
    "graph:search": ["list_workspaces", "search_nodes"],
    "graph:read": ["list_workspaces", "get_node", "get_nodes", "read_content"],
    "graph:neighbors": ["list_workspaces", "get_neighbors", "find_paths"],
  };
  for (const [scope, names] of Object.entries(open)) {
    const { raw } = await owner.token({ workspaceIds: [workspace], scopes: [scope as Scope] });
    const agent = await server.agent(raw);
    assert.deepEqual(
      (await agent.listTools()).tools.map(({ name }) => name),
      names,
    );
    for (const [name, [input]] of Object.entries(questions)) {
      const used = await use(agent, name as ToolName, input).catch((error: unknown) => ({
        isError: true,
        error,
      }));
      assert.equal(used.isError ?? false, !names.includes(name as ToolName), `${scope}: ${name}`);
    }
  }
});

test("GRAPH-10: a tool refuses workspaces outside the token as its route does, and the refusal is audited", async (t) => {
  const { server, owner, agent } = await settle(t);
  await owner.connect(other, [{ number: 7, given: { title: "Star elsewhere" } }]);
  const elsewhere = await use(agent, "search_nodes", { q: "star", workspace_id: other });
  assert.equal(elsewhere.isError, true);
  assert.match(elsewhere.content[0].text, /^workspace_not_allowed: /);
  for (const id of [nodeId(7), nodeId(99)]) {
    const refused = await use(agent, "get_node", { id });
    assert.match(refused.content[0].text, new RegExp(`^node_not_found: .*${id}`));
  }
  await server.flush();
  const [line] = await server.fixture.database.read
    .selectFrom("audit")
    .select(["event", "reason"])
    .where("event", "=", "token_refused")
    .execute();
  assert.deepEqual(line, { event: "token_refused", reason: "workspace_not_allowed" });
});

test("ERR-1: invalid arguments are reported to the agent, so that it can correct them", async (t) => {
  const { agent } = await settle(t);
  const faulty: [ToolName, Record<string, unknown>, RegExp][] = [
    ["get_nodes", {}, /ids/],
    ["search_nodes", { q: "star", limit: 1000 }, /limit/],
    ["search_nodes", { q: "star", colour: "red" }, /additional/i],
    ["search_nodes", { q: " " }, /invalid_request.*\?q must have/s],
    ["search_nodes", { q: "star", cursor: "nonsense" }, /invalid_cursor/],
    ["get_nodes", { ids: "x" }, /invalid_request/],
    ["find_paths", { from: nodeId(1), to: "x" }, /\?to is not a node id/],
    ["get_neighbors", { id: nodeId(1), edge_type: "likes" }, /edge_type/],
  ];
  for (const [name, input, expected] of faulty) {
    const { isError, content } = await use(agent, name, input);
    assert.equal(isError, true, name);
    assert.match(content[0].text, expected);
  }
});

test("ERR-4: the error of a failing tool is in the log, and the response reveals no internals", async (t) => {
  const { server, agent } = await settle(t);
  await server.fixture.database.transaction((trx) =>
    trx.schema.alterTable("contents").renameTo("away").execute(),
  );
  const { isError, content } = await use(agent, "read_content", { id: nodeId(1) });
  assert.equal(isError, true);
  assert.match(content[0].text, /^internal: /);
  assert.doesNotMatch(content[0].text, /contents|sqlite/i);
  assert.match(server.logged.join(""), /no such table: contents/);
});

/** The only message of a response, which older revisions send as an event. */
async function messageOf(response: Response): Promise<ToolMessage> {
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } },
};

test("TOK-11: a valid service token is required, and its absence is refused as on other routes", async (t) => {
  const { server, owner, token } = await settle(t);
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

test("GRAPH-13: clients of older protocol revisions are served, without sessions", async (t) => {
  const { server, token } = await settle(t);
  const authorization = `Bearer ${token.raw}`;
  const greeted = await server.post(hello, { authorization });
  assert.equal(greeted.headers.get("mcp-session-id"), null);
  assert.equal((await messageOf(greeted)).result.protocolVersion, "2025-06-18");
  const call = { name: "search_nodes", arguments: { q: "bird" } };
  const called = await server.post(
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
    { authorization, "mcp-protocol-version": "2025-06-18" },
  );
  assert.equal(called.status, 200);
  assert.equal((await messageOf(called)).result.structuredContent.items[0].node.title, "Bird");
});

test("AGT-5: pages of other origins are refused, pages of Clew's origin and programs are served", async (t) => {
  const { server, token } = await settle(t);
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

test("AGT-5: credentials are checked before the method", async (t) => {
  const { server, owner, token } = await settle(t);
  const ask = async (method: "GET" | "DELETE", headers: Record<string, string>) => {
    const {
      statusCode,
      headers: answered,
      body,
    } = await server.app.inject({ method, url: "/api/v1/mcp", headers });
    return [
      statusCode,
      JSON.parse(body).code,
      answered["www-authenticate"]?.toString().slice(0, 19),
      answered.allow,
    ];
  };
  const challenge = 'Bearer realm="clew"';
  for (const method of ["GET", "DELETE"] as const) {
    assert.deepEqual(await ask(method, {}), [401, "unauthenticated", challenge, undefined]);
    const madeUp = { authorization: `Bearer svc_${"a".repeat(32)}` };
    assert.deepEqual(await ask(method, madeUp), [401, "token_invalid", challenge, undefined]);
    const session = { authorization: `Bearer ${owner.session.raw}` };
    assert.deepEqual(await ask(method, session), [403, "wrong_token_type", undefined, undefined]);
    const right = { authorization: `Bearer ${token.raw}` };
    assert.deepEqual(await ask(method, right), [405, "method_not_allowed", undefined, "OPTIONS, POST"]);
    const foreign = { ...right, origin: "http://evil.example" };
    assert.deepEqual(await ask(method, foreign), [403, "origin_not_allowed", undefined, undefined]);
  }
});

test("AGT-5: only supported features are advertised", async (t) => {
  const { agent } = await settle(t);
  assert.deepEqual(agent.getServerCapabilities(), { tools: { listChanged: false } });
});

test("AGT-4: a tool outside the token's scopes names the scope that it needs, and the refusal is in the audit trail", async (t) => {
  const { server, owner } = await settle(t);
  const { raw } = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  const agent = await server.agent(raw);
  for (const input of [{ id: nodeId(1) }, { nonsense: 1 }, {}]) {
    const { isError, content } = await use(agent, "read_content", input);
    assert.equal(isError, true);
    assert.match(content[0].text, /^insufficient_scope: .*graph:read/);
  }
  assert.ok(!(await agent.listTools()).tools.some(({ name }) => name === "read_content"));
  await server.flush();
  const lines = await server.fixture.database.read
    .selectFrom("audit")
    .select("reason")
    .where("event", "=", "token_refused")
    .execute();
  assert.deepEqual(lines, Array(3).fill({ reason: "insufficient_scope" }));
});

test("OPS-5: agents' requests produce no output besides the log", async (t) => {
  const { agent } = await settle(t);
  const written = (["log", "info", "warn", "error"] as const).map((name) =>
    t.mock.method(console, name, () => {}),
  );
  await agent.listTools();
  await use(agent, "search_nodes", { q: "star" });
  assert.deepEqual(
    written.map(({ mock }) => mock.callCount()),
    [0, 0, 0, 0],
  );
});

test("ERR-1: a body that is no protocol message is refused", async (t) => {
  const { server, token } = await settle(t);
  const authorization = `Bearer ${token.raw}`;
  for (const message of [{}, [], null, 7, { jsonrpc: "1.0", id: 1, method: "ping" }, { id: 1 }, [hello]]) {
    const response = await server.post(message, { authorization });
    const { status, code, errors } = await messageOf(response);
    assert.deepEqual([status, code], [400, "invalid_request"], JSON.stringify(message));
    assert.ok(errors.length > 0);
  }
  const unknown = await server.post({ jsonrpc: "2.0", id: 1, method: "tools/bake" }, { authorization });
  assert.equal((await messageOf(unknown)).error.code, -32601);
});
