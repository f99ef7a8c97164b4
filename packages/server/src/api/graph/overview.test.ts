import assert from "node:assert/strict";
import { test } from "node:test";
import { graphOperations, type Overview, type Scope } from "@clew/contract";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const pathsIn = ({ operations }: Overview): string[] => operations.map(({ path }) => path);

test("GRAPH-16: the overview lists the readable workspaces and every permitted operation", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }, { number: 2 }]);
  await owner.connect(other);
  const token = await owner.token({ workspaceIds: [workspace] });

  const { status, body } = await token.get("/");
  assert.equal(status, 200);
  assert.deepEqual(body.clew, { version: "1.2.3", commit: "0".repeat(40) });
  assert.deepEqual(
    body.workspaces.map(({ id, nodes }: { id: string; nodes: number }) => [id, nodes]),
    [[workspace, 2]],
  );
  assert.deepEqual(body.operations[2], {
    name: "search",
    method: "GET",
    path: "/api/v1/search/",
    scope: "graph:search",
    summary: "Search pages and databases by title, or list them",
  });
  const declared = Object.values(graphOperations).map(({ path }) => `/api/v1${path.replace(":id", "{id}")}`);
  assert.deepEqual(pathsIn(body), [...declared, "/api/v1/token/"]);
  const changes = body.operations.find(({ name }: { name: string }) => name === "changes");
  assert.equal(changes.scope, "graph:search graph:read");

  const session = (await owner.session.get("/")).body;
  assert.equal(session.workspaces.length, 2);
  assert.equal(pathsIn(session).includes("/api/provider-graph/nodes/{id}/"), true);
  assert.deepEqual(
    session.operations
      .slice(Object.keys(graphOperations).length)
      .map(({ method, path }: { method: string; path: string }) => `${method} ${path}`),
    [
      "GET /api/provider-graph/paths/proposed/",
      "POST /api/provider-graph/workspaces/{id}/sync/",
      "GET /api/provider-graph/workspaces/{id}/syncs/",
      "GET /api/provider-graph/workspaces/{id}/events",
      "PATCH /api/provider-graph/workspaces/{id}/",
      "DELETE /api/provider-graph/workspaces/{id}/",
    ],
  );
  assert.equal(
    pathsIn(session).some((path) => path.includes("token")),
    false,
  );
});

test("GRAPH-16: a token's overview lists what its scopes permit, and each path in it works", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  const { body } = await token.get("/");
  assert.deepEqual(pathsIn(body), [
    "/api/v1/",
    "/api/v1/workspaces/",
    "/api/v1/search/",
    "/api/v1/resolve/",
    "/api/v1/tree/",
    "/api/v1/workspaces/{id}/map/",
    "/api/v1/workspaces/{id}/map/nodes/",
    "/api/v1/token/",
  ]);
  for (const path of pathsIn(body))
    assert.equal((await token.get(`${path.replace("{id}", workspace)}?q=x`)).status === 404, false, path);
});

test("GRAPH-10: each scope permits its own operations and no others", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  const id = "00000000000000000000000000000001";
  const operations = {
    "graph:search": [
      "/search/?q=page",
      "/tree/",
      `/workspaces/${workspace}/map/`,
      `/workspaces/${workspace}/map/nodes/`,
    ],
    "graph:read": [`/nodes/${id}/`, `/nodes/${id}/content/`, `/nodes/?ids=${id}`],
    "graph:neighbors": [
      `/nodes/${id}/neighbors/`,
      `/nodes/${id}/related/`,
      `/edges/?ids=${id}`,
      `/paths/?from=${id}&to=${id}`,
    ],
  } as const;
  const scopes = Object.keys(operations) as (keyof typeof operations)[];
  for (const held of scopes) {
    const token = await owner.token({ workspaceIds: [workspace], scopes: [held] });
    for (const path of ["/", "/workspaces/", "/token/"])
      assert.equal((await token.get(path)).status, 200, path);
    for (const scope of scopes) {
      for (const path of operations[scope]) {
        const answer = await token.get(path);
        assert.equal(answer.status, scope === held ? 200 : 403, `${held}: ${path}`);
        if (scope === held) continue;
        assert.equal(answer.body.code, "insufficient_scope");
        assert.match(String(answer.headers["www-authenticate"]), new RegExp(`scope="${scope}"`));
      }
    }
  }
});

test("GRAPH-11: the changes feed needs two scopes, and the refusal names both", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  const get = async (...scopes: Scope[]) =>
    (await owner.token({ workspaceIds: [workspace], scopes })).get("/changes/");
  assert.equal((await get("graph:read", "graph:search")).status, 200);
  for (const scopes of [["graph:search"], ["graph:read", "graph:neighbors"]] as const) {
    const { status, body, headers } = await get(...scopes);
    assert.deepEqual([status, body.code], [403, "insufficient_scope"]);
    assert.match(body.detail, /graph:search and graph:read/);
    assert.match(String(headers["www-authenticate"]), /scope="graph:search graph:read"/);
  }
});

test("GRAPH-14: a service token can read its own record", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const token = await owner.token({ workspaceIds: [workspace, other], scopes: ["graph:read"] });
  const { status, body } = await token.get("/token/");
  assert.equal(status, 200);
  assert.match(body.prefix, /^svc_.{8}$/);
  assert.deepEqual(body, {
    name: "a token",
    prefix: body.prefix,
    scopes: ["graph:read"],
    workspace_ids: [workspace, other],
    expires_at: null,
  });
  assert.equal((await owner.session.get("/token/")).status, 404);
});

test("GRAPH-13: both APIs only read the graph", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const id = "00000000000000000000000000000001";
  await owner.connect(workspace, [{ number: 1 }]);
  const token = await owner.token({ workspaceIds: [workspace] });
  const paths = [
    "/",
    "/workspaces/",
    "/search/",
    "/nodes/",
    `/nodes/${id}/`,
    `/nodes/${id}/content`,
    "/paths/",
  ];
  for (const bearer of [token, owner.session]) {
    for (const path of paths) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
        const { status, headers, body } = await bearer.call(method, path);
        assert.deepEqual([status, body.code], [405, "method_not_allowed"], `${method} ${path}`);
        assert.equal(headers.allow, "GET, HEAD, OPTIONS");
      }
      assert.equal((await bearer.call("OPTIONS", path)).headers.allow, "GET, HEAD, OPTIONS");
    }
  }
});

test("HEAD answers as GET does, without a body", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const id = "00000000000000000000000000000001";
  await owner.connect(workspace, [{ number: 1, text: "Text" }, { number: 2 }]);
  const paths = [
    "/",
    "/workspaces",
    "/search/?q=page&limit=1",
    `/nodes/?ids=${id}`,
    `/nodes/${id}`,
    `/nodes/${id}/content/?max_chars=1`,
    `/nodes/${id}/neighbors/`,
    `/paths/?from=${id}&to=${id}`,
    "/export/",
    "/nodes/nothing/",
  ];
  for (const path of paths) {
    const [head, get] = [await owner.session.call("HEAD", path), await owner.session.get(path)];
    assert.equal(head.text, "");
    assert.notEqual(get.text, "");
    assert.equal(head.status, get.status, path);
    for (const name of ["content-type", "content-length", "etag", "link", "cache-control", "vary"]) {
      if (get.status === 200) assert.equal(head.headers[name], get.headers[name], `${name} of ${path}`);
    }
  }
});
