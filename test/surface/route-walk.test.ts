import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { graphOperations, type Operation, workspaceOperations } from "@clew/contract";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";
import { expectWellFormed } from "./expectations.ts";
import { type Access, accessOf, openRoutes } from "./policy.ts";
import { allowedMethods, collectRoutes, pathOf as fill, methods } from "./routes.ts";
import { bearer, openSurface, type Reader, type Surface } from "./surface.ts";

const forgotten = "/forgotten";

let surface: Surface;
let reader: Reader;
let serviceToken = "";
let nodeId = "";

/** Adds routes without declared access, as could happen by mistake. */
const planted = new Set<string>();
const plantedIn = new WeakMap<object, Set<string>>();
const routes = collectRoutes((scope) => {
  // Each bucket has the routes.
  const ofServer = plantedIn.get(scope.server) ?? new Set();
  plantedIn.set(scope.server, ofServer);
  if (ofServer.has(scope.prefix)) return;
  ofServer.add(scope.prefix);
  planted.add(scope.prefix);
  scope.get(forgotten, async () => ({ data: "all" }));
  scope.post(forgotten, async () => ({ data: "all" }));
});

before(async () => {
  surface = await openSurface(routes);
  reader = await surface.signIn();
  serviceToken = (await surface.createToken(reader)).token;
  nodeId = await surface.idOf(reader, "Atlas of islands");
});
after(() => surface.close());

/** Sends a request and checks that the response is well-formed. */
async function send(request: RawRequest): Promise<RawAnswer> {
  const answer = await surface.send(request);
  expectWellFormed(request, answer);
  return answer;
}

const call = (method: string, path: string, headers: RawRequest["headers"] = {}) =>
  send({ method, path, headers });

/** Every path that the app itself registered. */
const patterns = () => routes.patterns().filter((pattern) => !pattern.endsWith(forgotten));

const pathOf = (pattern: string) => fill(pattern, nodeId, reader.workspace.id);
const allowed = (pattern: string) => allowedMethods(send, pathOf(pattern));

interface ClosedRoute {
  readonly method: string;
  readonly pattern: string;
  readonly access: Access;
}

/** Every route that the policy does not open, regardless of what it declares. */
async function closedRoutes(): Promise<ClosedRoute[]> {
  const closed: ClosedRoute[] = [];
  for (const pattern of patterns()) {
    for (const method of await allowed(pattern)) {
      if (method === "OPTIONS") continue;
      const access = accessOf(method, pattern);
      if (access.kind !== "open") closed.push({ method, pattern, access });
    }
  }
  return closed;
}

/** HEAD has no body, so only its status is checked. */
function expectRefusal(
  answer: RawAnswer,
  method: string,
  status: number,
  codes: RegExp,
  label: string,
): void {
  assert.equal(answer.status, status, `${label}: ${answer.text}`);
  if (method !== "HEAD") assert.match(answer.body.code, codes, label);
}

test("the walk covers every path of the contract and the OpenAPI document", async () => {
  const seen = new Set(patterns());
  const { body } = await call("GET", "/api/v1/openapi.json");
  const documented = Object.keys(body.paths)
    .map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1").replace(/\/$/, ""))
    .filter((pattern) => !pattern.endsWith(forgotten));
  assert.ok(documented.length >= 20, `${documented.length} paths are documented`);
  for (const pattern of documented) assert.ok(seen.has(pattern), `${pattern} was not walked`);
  for (const base of ["/api/v1", "/api/provider-graph", "/api/notion-graph", "/api/stand-in-graph"]) {
    for (const { path } of Object.values(graphOperations))
      assert.ok(seen.has((base + path).replace(/\/$/, "")));
    if (base === "/api/v1") continue;
    for (const { path } of Object.values(workspaceOperations))
      assert.ok(seen.has((base + path).replace(/\/$/, "")));
  }
  for (const route of openRoutes.keys()) assert.ok(seen.has(route.split(" ")[1] ?? ""), `${route} is gone`);
});

test("GRAPH-10: a route without declared access is closed to everyone", async () => {
  assert.ok(planted.size >= 5, `${planted.size} routes were planted`);
  const credentials = [undefined, reader.access, serviceToken, "nonsense"];
  for (const prefix of planted) {
    for (const token of credentials) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const path = prefix + forgotten;
        const answer = await call(method, path, token === undefined ? {} : bearer(token));
        expectRefusal(answer, method, 404, /^not_found$/, `${method} ${path}`);
      }
    }
  }
});

test("GRAPH-10: credentials in a URL or a cookie open nothing", async () => {
  const closed = await closedRoutes();
  assert.ok(closed.length >= 60, `${closed.length} routes were walked`);
  for (const { method, pattern, access } of closed) {
    const token = access.kind === "session" ? reader.access : serviceToken;
    for (const name of ["access_token", "token", "authorization", "api_key"]) {
      const answer = await call(method, `${pathOf(pattern)}?${name}=${token}`, {
        cookie: `${name}=${token}`,
      });
      expectRefusal(answer, method, 401, /^unauthenticated$/, `${method} ${pattern}?${name}`);
    }
  }
});

test("ERR-2: an unknown path is 404 for every caller", async () => {
  const paths = [
    "/nothing",
    "/api",
    "/api/",
    "/api/v1/nothing",
    "/api/v2/search",
    "/api/tokens/1/2/",
    "/api/auth",
    "/api/auth/register/",
    "/api/auth/login/",
    "/api/provider-graph/nothing/",
    "/api/unknown-graph/",
    "/api/integrations/auth/unknown/",
    "/api/integrations/auth/provider/callback/more",
    "/dashboard/../package.json",
    "/dashboard/%2e%2e/package.json",
    "//api/auth/me",
    "/API/AUTH/ME/",
  ];
  const credentials = [undefined, reader.access, serviceToken, "nonsense"];
  for (const path of paths) {
    for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PROPFIND"]) {
      for (const token of credentials) {
        const answer = await call(method, path, token === undefined ? {} : bearer(token));
        expectRefusal(answer, method, 404, /^not_found$/, `${method} ${path}`);
      }
    }
  }
});

test("GRAPH-13: every other method is 405 with Allow, and V1 only reads", async () => {
  for (const pattern of patterns()) {
    const allow = await allowed(pattern);
    // MCP clients read with POST.
    const reading = pattern === "/api/v1/mcp" ? ["OPTIONS", "POST"] : ["GET", "HEAD", "OPTIONS"];
    if (pattern.startsWith("/api/v1")) assert.deepEqual(allow, reading, pattern);
    assert.ok(
      allow.length >= 2 && allow.every((method) => methods.includes(method)),
      `${pattern} allows ${allow}`,
    );
    // MCP checks the credentials first (AGT-5).
    const credentials = pattern === "/api/v1/mcp" ? bearer(serviceToken) : {};
    for (const method of methods.filter((each) => !allow.includes(each))) {
      const answer = await call(method, pathOf(pattern), credentials);
      expectRefusal(answer, method, 405, /^method_not_allowed$/, `${method} ${pattern}`);
      assert.equal(answer.headers.allow, allow.join(", "));
    }
    for (const method of allow) {
      const { status } = await call(method, pathOf(pattern));
      assert.notEqual(status, 405, `${method} ${pattern} is allowed, it says`);
    }
  }
});

/** The paths below each prefix of graphs whose answers are compressed, and the documents. */
const compressedPatterns = new Set([
  "/api/v1/mcp",
  "/api/v1/openapi.json",
  "/docs/api",
  "/docs/api/:id",
  "/docs/api/messages/:name",
  "/llms.txt",
  ...["/api/v1", "/api/provider-graph", "/api/notion-graph", "/api/stand-in-graph"].flatMap((base) =>
    Object.values<Operation>(graphOperations).map(({ path }) => (base + path).replace(/\/$/, "")),
  ),
  ...["provider", "notion", "stand-in"].map((word) => `/api/${word}-graph/paths/proposed`),
]);

test("ERR-6: exactly the operations of the table, MCP and documents are compressed: no answer that may carry a credential", async () => {
  const compressed = new Set<string>();
  for (const pattern of patterns()) {
    // Compressed when they are built.
    if (/^\/(?:dashboard\/assets|docs(?!\/api))/.test(pattern)) continue;
    const token = pattern.startsWith("/api/v1") ? serviceToken : reader.access;
    for (const method of await allowed(pattern)) {
      if (method === "OPTIONS" || method === "DELETE" || method === "GET") continue;
      const headers = { ...bearer(token ?? ""), "accept-encoding": "br, gzip" };
      const answer = await call(method, pathOf(pattern), headers);
      if (/Accept-Encoding/.test(String(answer.headers.vary))) compressed.add(pattern);
      else assert.equal(answer.headers["content-encoding"], undefined, `${method} ${pattern}`);
    }
  }
  assert.deepEqual([...compressed].toSorted(), [...compressedPatterns].toSorted());
  const { headers } = await call("HEAD", "/api/v1/openapi.json", { "accept-encoding": "gzip" });
  assert.equal(headers["content-encoding"], "gzip");
});

test("ERR-5: a path responds the same with and without a trailing slash", async () => {
  for (const pattern of patterns()) {
    const token = pattern.startsWith("/api/v1") ? serviceToken : reader.access;
    const path = pathOf(pattern);
    const [without, withSlash] = await Promise.all([
      call("GET", path, bearer(token ?? "")),
      call("GET", path === "/" ? path : `${path}/`, bearer(token ?? "")),
    ]);
    assert.equal(withSlash.status, without.status, path);
    assert.notEqual(withSlash.status, 308);
  }
});
