import assert from "node:assert/strict";
import { test } from "node:test";
import { mapFormat } from "@clew/contract";
import { generousMs } from "../../model/testing/deadlines.ts";
import { LinkMaps } from "../../operations/link-maps.ts";
import { leaseMap, saveMap } from "../../store/queries/maps.ts";
import { removeConnection } from "../../store/queries/removed-connections.ts";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { type Bearer, type SeededPage, serveGraphs } from "./testing/graph-server.ts";

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
  const { nodeBytes, regionBytes, headerBytes } = mapFormat;
  assert.ok(Number(headers["content-length"]) > headerBytes + regionBytes + pages.length * nodeBytes);
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

/** Two groups of pages, each linked among themselves. */
const groups: SeededPage[] = Array.from({ length: 40 }, (_, n) => ({
  number: n + 1,
  given: { title: `Page ${n + 1}` },
  references: [1, 2, 3].map((step) => referenceTo((n < 20 ? 0 : 20) + ((n + step) % 20) + 1)),
}));

const linksPath = `/workspaces/${workspace}/map/?links=true`;

test("GRAPH-30: the map by links is another one, with its own ETag, and stays as it was stored", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, groups);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search", "graph:neighbors"] });
  const made = await token.get(linksPath);
  assert.deepEqual([made.status, made.headers["content-type"]], [200, mapFormat.mediaType]);
  const folders = await mapOf(token);
  assert.notEqual(made.text, folders.text);
  assert.notEqual(made.headers.etag, folders.headers.etag);
  const again = await owner.session.get(linksPath);
  assert.deepEqual([again.text, again.headers.etag], [made.text, made.headers.etag]);
  const known = await token.get(linksPath, { "if-none-match": String(made.headers.etag) });
  assert.deepEqual([known.status, known.text], [304, ""]);
  for (const colour of ["folder", "database", "edited"]) {
    const coloured = await token.get(`${linksPath}&colour=${colour}`);
    assert.equal(coloured.status, 200);
    assert.notEqual(coloured.headers.etag, made.headers.etag);
    assert.equal(coloured.headers["content-length"], made.headers["content-length"]);
  }
  assert.equal((await token.get(`${linksPath}&colour=mood`)).status, 400);
});

test("GRAPH-30: the map by links needs the scope that links need", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, groups);
  const narrow = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  assert.equal((await narrow.get(linksPath)).body.code, "insufficient_scope");
  assert.equal((await narrow.get(linksPath.replace("true", "false"))).status, 200);
  await owner.connect(other, groups);
  const elsewhere = await owner.token({ workspaceIds: [other], scopes: ["graph:search", "graph:neighbors"] });
  assert.equal((await elsewhere.get(linksPath)).status, 404);
});

test("GRAPH-30: a newer graph makes a newer map by links, and disconnecting deletes it", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, groups);
  const stored = () =>
    server.fixture.database.read
      .selectFrom("maps")
      .selectAll()
      .where("connection_id", "=", connection.id)
      .execute();
  assert.deepEqual(await stored(), []);
  const first = await owner.session.get(linksPath);
  const [before] = await stored();
  assert.deepEqual([before?.worker, before?.leased_until], [null, null]);
  const more = [...groups, { number: 41, given: { title: "Page 41" }, references: [referenceTo(1)] }];
  await server.sync(connection, more);
  const second = await owner.session.get(linksPath);
  assert.notEqual(second.headers.etag, first.headers.etag);
  const [after] = await stored();
  assert.ok((after?.graph_version ?? 0) > (before?.graph_version ?? 0));
  const { database } = server.fixture;
  await database.transaction((trx) => removeConnection(trx, connection.id, 0));
  assert.deepEqual(await stored(), [], "it is gone before the rows of the graph are");
});

test("GRAPH-30: instances that are asked at once make one map by links and serve the same bytes", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, groups);
  const { graph, version } = await server.graphs.current(connection);
  const source = { connectionId: connection.id, graph, version };
  const jobs: string[] = [];
  const instances = [1, 2, 3].map(
    () =>
      new LinkMaps({
        database: server.fixture.database,
        waitMs: generousMs,
        onError: (error) => assert.fail(String(error)),
        onJob: ({ outcome }) => jobs.push(outcome),
      }),
  );
  t.after(() => Promise.all(instances.map((each) => each.close())));
  const asked = instances.flatMap((each) => [each.current(source, "a"), each.current(source, "b")]);
  const digests = (await Promise.all(asked)).map(({ digest }) => digest);
  assert.equal(new Set(digests).size, 1);
  assert.deepEqual(jobs, ["done"]);
});

test("GRAPH-30: a lease that an instance left behind delays the map by links until it ends", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, groups);
  const { graph, version } = await server.graphs.current(connection);
  const maps = new LinkMaps({ database: server.fixture.database, onError: () => {}, waitMs: 300 });
  t.after(() => maps.close());
  const claim = { connectionId: connection.id, worker: "gone" };
  const now = server.fixture.database.clock();
  await server.fixture.database.transaction((trx) => leaseMap(trx, claim, { now, until: now + 60_000 }));
  const source = { connectionId: connection.id, graph, version };
  await assert.rejects(maps.current(source, "a"), { code: "unavailable" });
  await server.fixture.database.transaction((trx) => leaseMap(trx, claim, { now, until: now }));
  const made = new LinkMaps({ database: server.fixture.database, onError: () => {}, waitMs: generousMs });
  t.after(() => made.close());
  assert.equal((await made.current(source, "a")).graphVersion, version);
  // The one that slept meanwhile must not overwrite it.
  const late = { graphVersion: version, digest: "late", bytes: Buffer.alloc(1), state: Buffer.alloc(1) };
  assert.equal(await server.fixture.database.transaction((trx) => saveMap(trx, claim, late)), false);
});
