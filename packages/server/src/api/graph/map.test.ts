import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFormat } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { type Bearer, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const pages = [
  { number: 1, given: { title: "Atlas" } },
  { number: 2, given: { title: "Maps", type: "database" as const, parentId: nodeId(1) } },
  { number: 3, given: { title: "Row", parentId: nodeId(2) }, references: [referenceTo(4)] },
  { number: 4, given: { title: "Zenith" } },
];

async function mapOf(bearer: Bearer) {
  const { status, headers, text } = await bearer.get(`/workspaces/${workspace}/map/`);
  assert.equal(status, 200);
  return { headers, text };
}

test("GRAPH-30: the map has all pages in the order of the tree, the same for both audiences", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  const { headers, text } = await mapOf(token);
  assert.equal(headers["content-type"], mapFormat.mediaType);
  assert.equal(text.slice(0, 4), mapFormat.magic);
  const discs = 2;
  const { headerBytes, discBytes, nodeBytes } = mapFormat;
  assert.equal(Number(headers["content-length"]), headerBytes + discs * discBytes + pages.length * nodeBytes);
  assert.equal((await mapOf(owner.session)).text, text);
  const { status, body } = await token.get(`/workspaces/${workspace}/map/nodes/?from=1&count=2`);
  assert.equal(status, 200);
  assert.equal(body.total, pages.length);
  assert.deepEqual(body.items, [
    { position: 1, id: nodeId(2), title: "Maps" },
    { position: 2, id: nodeId(3), title: "Row" },
  ]);
});

test("GRAPH-30: pages of a map are found by id, and what is not on it is left out", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const ask = (query: string) => owner.session.get(`/workspaces/${workspace}/map/nodes/?${query}`);
  const { body } = await ask(`ids=${nodeId(4)},${nodeId(1)},${nodeId(9)},${nodeId(4).replaceAll("-", "")}`);
  assert.deepEqual(body.items, [
    { position: 3, id: nodeId(4), title: "Zenith" },
    { position: 0, id: nodeId(1), title: "Atlas" },
  ]);
  assert.deepEqual((await ask("from=4")).body.items, []);
  assert.deepEqual((await ask("ids=")).body.items, []);
  const many = Array.from({ length: 201 }, (_, n) => nodeId(n).replaceAll("-", "")).join(",");
  for (const [query, path] of [
    ["ids=x", "?ids"],
    [`ids=${many}`, "?ids"],
    ["count=0", "?count"],
    ["count=1001", "?count"],
    ["from=-1", "?from"],
  ]) {
    const refused = await ask(query ?? "");
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, path], query);
  }
});

test("GRAPH-30: pages of a map are found by positions, and those beyond its end are left out", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  const ask = (query: string) => token.get(`/workspaces/${workspace}/map/nodes/?${query}`);
  const { body } = await ask("positions=3,0,4,3,4294967296,9999999999");
  assert.deepEqual(body.items, [
    { position: 3, id: nodeId(4), title: "Zenith" },
    { position: 0, id: nodeId(1), title: "Atlas" },
  ]);
  assert.equal(body.total, pages.length);
  const many = Array.from({ length: 101 }, (_, n) => n).join();
  for (const positions of ["", ",", "1,", "-1", "1.5", "x", "1".repeat(11), many, `1&ids=${nodeId(1)}`]) {
    const refused = await ask(`positions=${positions}`);
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, "?positions"], positions);
  }
});

test("GRAPH-30: the ETag is that of the graph version", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  const path = `/workspaces/${workspace}/map/`;
  const { headers, text } = await mapOf(owner.session);
  const tag = String(headers.etag);
  const again = await owner.session.get(path, { "if-none-match": tag });
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", tag]);
  assert.equal(again.headers["cache-control"], "private, no-cache");
  const head = await owner.session.call("HEAD", path);
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", tag]);
  await server.sync(connection, pages.slice(0, 3));
  const changed = await owner.session.get(path, { "if-none-match": tag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.etag, tag);
  assert.notEqual(changed.text, text);
});

test("GRAPH-30: only those who may read the workspace get its map", async (t) => {
  const server = await serveGraphs(t);
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  await owner.connect(workspace, pages);
  await owner.connect(other, pages);
  await colleague.connect(workspace, pages.slice(0, 1));
  const token = await owner.token({ workspaceIds: [workspace] });
  const unknown = "33333333-3333-4333-8333-333333333333";
  for (const path of ["map/", "map/nodes/"]) {
    const refusals = [
      await token.get(`/workspaces/${other}/${path}`),
      await token.get(`/workspaces/${unknown}/${path}`),
      await colleague.session.get(`/workspaces/${other}/${path}`),
    ];
    for (const { status, body } of refusals)
      assert.deepEqual([status, body.code, body.detail], [404, "not_found", refusals[0]?.body.detail]);
    const narrow = await owner.token({
      workspaceIds: [workspace],
      scopes: ["graph:read", "graph:neighbors"],
    });
    assert.equal((await narrow.get(`/workspaces/${workspace}/${path}`)).body.code, "insufficient_scope");
  }
  const { body } = await colleague.session.get(`/workspaces/${workspace}/map/nodes/`);
  assert.deepEqual(body.items, [{ position: 0, id: nodeId(1), title: "Atlas" }]);
});

test("GRAPH-30: the map is the same when the graph is built again from the store", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  const before = await mapOf(owner.session);
  const { graph } = await server.graphs.current(connection);
  server.graphs.forget(connection.id);
  const rebuilt = await server.graphs.current(connection);
  assert.notEqual(rebuilt.graph, graph);
  const after = await mapOf(owner.session);
  assert.deepEqual([after.text, after.headers.etag], [before.text, before.headers.etag]);
});
