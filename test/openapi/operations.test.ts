import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { problems, type Scope, scopeNames } from "@clew/contract";
import { type RawAnswer, type RawRequest, senderTo } from "../support/raw-request.ts";
import { startRunning } from "../support/running-clew.ts";
import { collectInvalidCredentials } from "../surface/invalid-credentials.ts";
import { bearer, openSurface, type Reader, type Surface } from "../surface/surface.ts";
import {
  type Document,
  type Located,
  operationsOf,
  type Parameter,
  problemCodes,
  readDocument,
  responseOf,
} from "./document.ts";

const unknownId = "99999999-9999-4999-8999-999999999999";

let surface: Surface;
let document: Document;
let reader: Reader;
let invalid: ReadonlyMap<string, string>;
let serviceToken: string;
let tokenId: number;
/** Values of parameters and fields with which a request is valid. */
let known: Readonly<Record<string, unknown>>;

before(async () => {
  surface = await openSurface();
  document = await readDocument(surface.clew.url);
  invalid = await collectInvalidCredentials(surface);
  reader = await surface.signIn();
  ({ token: serviceToken, id: tokenId } = await surface.createToken(reader));
  const nodeId = await surface.idOf(reader, "Atlas of islands");
  known = {
    id: nodeId,
    database: await surface.idOf(reader, "Maps"),
    q: "atlas",
    ids: nodeId,
    from: nodeId,
    to: nodeId,
    refresh: reader.refresh,
    name: "a name",
    tags: true,
    scopes: ["graph:read"],
    workspace_ids: [reader.workspace.id],
    provider: "no-such-source",
    jsonrpc: "2.0",
    method: "ping",
  };
});
after(() => surface.close());

const kindOf = ({ security }: Located) => Object.keys(security[0] ?? {})[0] ?? "open";

test("ERR-4: an operation that takes a page by its id or address declares that the page may not exist", () => {
  const takesPage = operationsOf(document).filter(({ parameters = [] }) =>
    parameters.some(({ name }) => ["under", "near"].includes(name)),
  );
  assert.ok(takesPage.length >= 8, `${takesPage.length}`);
  const silent = takesPage.filter(
    (each) => !problemCodes(document, each).get("404")?.includes("node_not_found"),
  );
  assert.deepEqual(
    silent.map(({ operationId }) => operationId),
    [],
  );
});

/** Parameters that may be left out only if another is given. */
const needed = new Map([
  ["buildContext", "q"],
  ["buildContextInSession", "q"],
]);

/** A valid request of an operation, except that ids of anything but nodes do not exist. */
function requestOf(
  operation: Located,
  changes: { query?: Record<string, string>; token?: string } = {},
): RawRequest {
  const { method, path, parameters = [] } = operation;
  const required = parameters.filter(
    ({ in: place, name, required }) =>
      place === "query" && (required || needed.get(operation.operationId) === name),
  );
  const query = new URLSearchParams({
    ...Object.fromEntries(required.map(({ name }) => [name, String(known[name])])),
    ...changes.query,
  });
  const token = changes.token ?? (kindOf(operation) === "serviceToken" ? serviceToken : reader.access);
  const node = path.endsWith("/rows/") ? known.database : known.id;
  const id = path.includes("/nodes/") ? String(node) : "999999";
  return {
    method,
    path: `${path.replace("{id}", id)}${query.size === 0 ? "" : `?${query}`}`,
    headers: {
      ...(kindOf(operation) === "open" ? {} : bearer(token)),
      ...(operation.requestBody === undefined ? {} : { "content-type": "application/json" }),
    },
    ...bodyOf(operation),
  };
}

function bodyOf({ requestBody }: Located): { body?: string } {
  if (requestBody === undefined) return {};
  const [{ schema } = { schema: { $ref: "" } }] = Object.values(requestBody.content) as {
    schema: { $ref: string };
  }[];
  const { required = [] } = document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] as {
    required?: string[];
  };
  return { body: JSON.stringify(Object.fromEntries(required.map((name) => [name, known[name]]))) };
}

const withHeaders = (request: RawRequest, headers: Record<string, string>): RawRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

const withBody = (operation: Located, body: string, type = "application/json") =>
  withHeaders({ ...requestOf(operation), body }, { "content-type": type });

const withCredentials = (operation: Located, forToken: string, forSession: string) =>
  withHeaders(requestOf(operation), {
    authorization: invalid.get(kindOf(operation) === "serviceToken" ? forToken : forSession) ?? "",
  });

/** Service tokens by their scopes. A person may have ten. */
const limitedTokens = new Map<string, string>();

/** The ways to make a request fail with a code. */
const provocations: Readonly<Record<string, (operation: Located) => RawRequest | Promise<RawRequest>>> = {
  unauthenticated: (operation) => ({ ...requestOf(operation), headers: {} }),
  token_invalid: (operation) => withCredentials(operation, "a made-up service token", "a made-up JWT"),
  token_expired: (operation) =>
    withCredentials(operation, "an expired service token", "an expired access token"),
  token_revoked: (operation) =>
    withCredentials(operation, "a revoked service token", "an access token of an ended session"),
  wrong_token_type: (operation) =>
    requestOf(operation, { token: kindOf(operation) === "serviceToken" ? reader.access : serviceToken }),
  async insufficient_scope(operation) {
    const needed = operation.security[0]?.serviceToken ?? [];
    const others = scopeNames.filter((scope: Scope) => !needed.includes(scope));
    const rest = others.length > 0 ? others : scopeNames.slice(1);
    const token =
      limitedTokens.get(rest.join()) ?? (await surface.createToken(reader, { scopes: rest })).token;
    limitedTokens.set(rest.join(), token);
    return requestOf(operation, { token });
  },
  invalid_request: (operation) => requestOf(operation, { query: { nonsense: "1" } }),
  invalid_cursor: (operation) => requestOf(operation, { query: { cursor: "nonsense" } }),
  workspace_not_allowed: (operation) => requestOf(operation, { query: { workspace_id: unknownId } }),
  node_not_found(operation) {
    const parameter = operation.parameters?.find(
      ({ in: place, name }) => place === "query" && ["from", "under", "id"].includes(name),
    );
    const request = requestOf(operation, parameter ? { query: { [parameter.name]: unknownId } } : {});
    return { ...request, path: request.path.replace(/\/nodes\/[^/?]+/, `/nodes/${unknownId}`) };
  },
  not_found: (operation) =>
    requestOf(operation, operation.path.includes("/content/") ? { query: { heading: "nonsense" } } : {}),
  not_acceptable: (operation) => withHeaders(requestOf(operation), { accept: "image/png" }),
  origin_not_allowed: (operation) => withHeaders(requestOf(operation), { origin: "https://evil.example" }),
  invalid_json: (operation) => withBody(operation, "{"),
  body_too_large: (operation) => withBody(operation, JSON.stringify("x".repeat(70_000))),
  unsupported_media_type: (operation) => withBody(operation, "{}", "text/plain"),
};

/** Codes that these requests cannot cause, each with the tests that do. */
const elsewhere: Readonly<Record<string, string>> = {
  internal: "http/server.test.ts",
  unavailable: "api/locked-database.test.ts",
  rate_limited: "http/limits/rate-limits.test.ts",
  cursor_expired: "api/graph/cursor.test.ts, changes-feed.test.ts, rows.test.ts",
  conflict: "api/tokens/rotate.test.ts, api/workspaces/routes.test.ts, api/webhooks/routes.test.ts",
  token_limit_reached: "api/tokens/limit.test.ts",
};

/** Codes that need what this Clew does not have: these operations refuse with them too. */
const exempt: readonly (readonly [operationId: string, code: string, reason: string])[] = [
  ["receiveWebhook", "not_found", "a key for webhooks is set here"],
  ["receiveWebhook", "invalid_request", "its signature is checked first"],
  ["refreshAccessToken", "token_invalid", "it takes its token in the body: api/auth/routes.test.ts"],
  ["refreshAccessToken", "token_expired", "it takes its token in the body: api/auth/routes.test.ts"],
  ["refreshAccessToken", "token_revoked", "it takes its token in the body: api/auth/routes.test.ts"],
];

/** Checks that the document has the response: its code, and the headers that it names anywhere. */
function expectDocumented(operation: Located, answer: RawAnswer): void {
  const label = `${operation.operationId} → ${answer.status} ${answer.text.slice(0, 200)}`;
  const declared = problemCodes(document, operation).get(String(answer.status));
  if (answer.body?.code !== undefined) assert.ok(declared?.includes(answer.body.code), label);
  const response = responseOf(document, operation, String(answer.status));
  assert.ok(response, label);
  const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  for (const name of [
    "link",
    "etag",
    "retry-after",
    "www-authenticate",
    "deprecation",
    "sunset",
    "x-request-id",
  ])
    if (answer.headers[name] !== undefined) assert.ok(named.includes(name), `${label}: ${name}`);
}

/** The operations, each with a code that it declares and that a request here can cause. */
const claims = () =>
  operationsOf(document).flatMap((operation) =>
    [...problemCodes(document, operation).values()]
      .flat()
      .filter((code) => !(code in elsewhere))
      .filter((code) => !exempt.some(([id, exempted]) => id === operation.operationId && exempted === code))
      .map((code) => ({ operation, code })),
  );

test("ERR-2: each operation gives the codes that the document declares for it", async () => {
  const missed: string[] = [];
  for (const { operation, code } of claims()) {
    const provoke = provocations[code];
    assert.ok(provoke, `say how to provoke ${code}, or which test does`);
    const answer = await surface.send(await provoke(operation));
    expectDocumented(operation, answer);
    if (answer.body?.code !== code)
      missed.push(`${operation.operationId}: ${code}, but ${answer.status} ${answer.text.slice(0, 120)}`);
  }
  assert.deepEqual(missed, []);
});

test("ERR-2: codes for which there is no request here are in the list of the contract", () => {
  for (const code of [...Object.keys(elsewhere), ...Object.keys(provocations)])
    assert.ok(code in problems, code);
});

test("GRAPH-12: a valid request of each reading operation gives what the document declares", async () => {
  for (const operation of operationsOf(document)) {
    if (operation.method !== "GET" || operation.path.endsWith("/events")) continue;
    const request = requestOf(operation);
    const path = request.path.replace(/^\/api\/tokens\/\d+/, `/api/tokens/${tokenId}`);
    const answer = await surface.send({ ...request, path });
    expectDocumented(operation, answer);
    if (answer.status === 302 || operation.path.includes("/workspaces/{id}/")) continue;
    // It needs a request that a browser has made.
    if (operation.operationId === "getAppRequest") continue;
    assert.equal(answer.status, 200, `${operation.operationId} ${answer.text}`);
  }
});

test("LIM-2: a refusal says in its text how long to wait, since agents see no headers", async (t) => {
  const clew = await startRunning({ env: { RATE_LIMIT_OPEN: "1" } });
  t.after(() => clew.stop());
  const [operation] = operationsOf(document).filter(({ operationId }) => operationId === "getSignInStatus");
  assert.ok(operation);
  const send = senderTo(clew.url);
  await send(requestOf(operation));
  const answer = await send(requestOf(operation));
  expectDocumented(operation, answer);
  assert.equal(answer.status, 429);
  const seconds = String(answer.headers["retry-after"]);
  assert.equal(answer.body.detail, `Too many requests. Wait ${seconds} seconds, then try again.`);
});

test("every parameter says what it means", () => {
  const silent = operationsOf(document).flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter(({ description = "" }) => description === "")
      .map(({ name }) => `${operationId}: ${name}`),
  );
  assert.deepEqual(silent, []);
});

/** The outermost values that a parameter's schema allows, and the nearest that it does not. */
function edgesOf({ schema }: Parameter): { readonly taken: string[]; readonly refused: string[] } {
  const {
    minimum = 0,
    maximum,
    maxLength,
    enum: values,
  } = schema as {
    readonly minimum?: number;
    readonly maximum?: number;
    readonly maxLength?: number;
    readonly enum?: readonly string[];
  };
  if (maxLength !== undefined)
    return { taken: ["x", ` ${"𝄞".repeat(maxLength)} `], refused: ["", " ", "x".repeat(maxLength + 1)] };
  if (values !== undefined) return { taken: [], refused: ["", "nonsense", [...values, "x"].join()] };
  if (maximum === undefined) return { taken: [], refused: [] };
  return {
    taken: [String(minimum), String(maximum)],
    refused: [String(minimum - 1), String(BigInt(maximum) + 1n), "1.0"],
  };
}

test("the limits of parameters are those that the server enforces", async () => {
  let checked = 0;
  for (const operation of operationsOf(document).filter(({ method }) => method === "GET")) {
    for (const parameter of operation.parameters ?? []) {
      const { name } = parameter;
      // One makes the response wait, and the other takes names of authors alone.
      if (parameter.in !== "query" || name === "wait" || name === "by") continue;
      const { taken, refused } = edgesOf(parameter);
      for (const value of [...taken, ...refused]) {
        const answer = await surface.send(requestOf(operation, { query: { [name]: value } }));
        const faults: { path: string }[] = answer.body?.errors ?? [];
        const label = `${operation.operationId} ${name}=${value.slice(0, 30)} → ${answer.status} ${answer.text.slice(0, 200)}`;
        const isRefused = faults.some(({ path }) => path === `?${name}`);
        assert.equal(isRefused, refused.includes(value), label);
        checked += 1;
      }
    }
  }
  assert.ok(checked > 100, String(checked));
});
