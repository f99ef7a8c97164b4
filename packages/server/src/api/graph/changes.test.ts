import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Changes } from "@clew/contract";
import { removeNodes, upsertNodes } from "../../store/queries/graph-pages.ts";
import { nodeId, page, referenceTo } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { type Bearer, nextOf, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";
const day = 86_400_000;

const pages = [1, 2, 3].map((number) => ({ number, references: [referenceTo(1)] }));

async function setUp(t: TestContext) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace] });
  return { server, owner, connection, token };
}

async function changes(bearer: Bearer, query = ""): Promise<Changes> {
  const { status, text, body } = await bearer.get(`/changes/?${query}`);
  assert.equal(status, 200, text);
  return body;
}

const summaryOf = ({ items }: Changes) =>
  items.map(({ change, node_id }) => `${change} ${Number.parseInt(node_id.slice(-4), 16)}`);

function assertRefused({ status, body }: Answer, code: string): void {
  assert.deepEqual([status, body.code], [code === "cursor_expired" ? 410 : 400, code]);
}

test("GRAPH-11: without a cursor every node is reported as added, in the form of GET node", async (t) => {
  const { token } = await setUp(t);
  const feed = await changes(token);
  assert.deepEqual(summaryOf(feed), ["added 1", "added 2", "added 3"]);
  assert.equal(feed.more, false);
  for (const item of feed.items) {
    const { body } = await token.get(`/nodes/?ids=${item.node_id}`);
    assert.deepEqual(item, {
      change: "added",
      what: [],
      workspace_id: workspace,
      node_id: item.node_id,
      node: body.items[0],
    });
  }
});

test("GRAPH-11: a cursor lists each addition, change and removal since then once", async (t) => {
  const { server, connection, token } = await setUp(t);
  const { next_cursor: cursor } = await changes(token);
  await server.sync(connection, [
    { number: 1, references: [referenceTo(1)], given: { title: "Renamed" } },
    { number: 3, references: [referenceTo(1)] },
    { number: 4 },
  ]);
  const news = await changes(token, `cursor=${cursor}`);
  assert.deepEqual(summaryOf(news).toSorted(), ["added 4", "changed 1", "removed 2"]);
  assert.equal(news.items.find(({ change }) => change === "changed")?.node?.title, "Renamed");
  assert.equal(news.items.find(({ change }) => change === "removed")?.node, null);
  assert.deepEqual(summaryOf(await changes(token, `cursor=${news.next_cursor}`)), []);
  assert.deepEqual(
    summaryOf(await changes(token, `cursor=${cursor}`)),
    summaryOf(news),
    "a cursor can be reused",
  );
});

for (const [name, next, what] of [
  ["a title", { given: { title: "Renamed" } }, ["title"]],
  ["a text", { text: "New" }, ["text"]],
  ["a parent", { given: { parentId: nodeId(3) } }, ["parent"]],
  ["properties", { given: { properties: { a: 2 } } }, ["properties"]],
  ["the references of properties", { references: [referenceTo(2)] }, ["references"]],
  ["the references of a text", { textReferences: [referenceTo(2)] }, ["references"]],
  ["an icon", { given: { icon: "🧵" } }, []],
  ["the time of an edit", { given: { updatedAt: 9 } }, []],
  [
    "all at once",
    {
      given: { title: "Renamed", properties: {}, parentId: nodeId(3), icon: "🧵" },
      text: "",
      references: [],
    },
    ["title", "text", "parent", "properties", "references"],
  ],
] as const) {
  test(`GRAPH-27: the feed says that ${name} changed`, async (t) => {
    const { server, connection, token } = await setUp(t);
    const before = { number: 1, text: "Old", references: [referenceTo(1)], given: { properties: { a: 1 } } };
    await server.sync(connection, [before, ...pages.slice(1)]);
    const { next_cursor: cursor } = await changes(token);
    const given = { ...before.given, ...("given" in next ? next.given : {}) };
    await server.sync(connection, [{ ...before, ...next, given }, ...pages.slice(1)]);
    const news = await changes(token, `cursor=${cursor}`);
    assert.deepEqual(summaryOf(news), ["changed 1"]);
    assert.deepEqual(news.items[0]?.what, what);
    await server.sync(connection, [
      { ...before, ...next, given: { ...given, url: "https://x.example/" } },
      ...pages.slice(1),
    ]);
    assert.deepEqual(
      (await changes(token, `cursor=${cursor}`)).items[0]?.what,
      what,
      "an earlier change is still one",
    );
    assert.deepEqual((await changes(token, `cursor=${news.next_cursor}`)).items[0]?.what, []);
  });
}

test("GRAPH-11: a node added and removed between two reads may be omitted", async (t) => {
  const { server, connection, token } = await setUp(t);
  const { next_cursor: cursor } = await changes(token);
  await server.sync(connection, [...pages, { number: 9 }]);
  await server.sync(connection, pages);
  assert.deepEqual(summaryOf(await changes(token, `cursor=${cursor}`)), []);
});

test("GRAPH-11: the feed is paged, and its last page has a cursor for the next read", async (t) => {
  const { token } = await setUp(t);
  const first = await token.get("/changes/?limit=2");
  assert.deepEqual([summaryOf(first.body), first.body.more], [["added 1", "added 2"], true]);
  const second = await token.get(nextOf(first));
  assert.deepEqual([summaryOf(second.body), second.body.more], [["added 3"], false]);
  assert.equal(second.headers.link, undefined);
  assert.equal(typeof second.body.next_cursor, "string");
});

test("GRAPH-11: a client that reads in pages misses nothing if a newer graph is published in between", async (t) => {
  const { server, connection, token } = await setUp(t);
  const first = await changes(token, "limit=1");
  await server.sync(connection, [...pages, { number: 9 }]);
  const second = await changes(token, `limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual([summaryOf(second), second.more], [["added 2"], true]);
  const rest = await changes(token, `cursor=${second.next_cursor}`);
  assert.deepEqual([summaryOf(rest), rest.more], [["added 3", "added 9"], false]);
});

test("GRAPH-11: changes are listed only once they are published", async (t) => {
  const { server, connection, token } = await setUp(t);
  const { database } = server.fixture;
  const { next_cursor: cursor } = await changes(token);
  const renamed = [page(1, { title: "Renamed" }), page(7)];
  await database.transaction((trx) => upsertNodes(trx, connection.id, renamed));
  await database.transaction((trx) => removeNodes(trx, connection.id, [page(2).id], 0));
  assert.deepEqual(summaryOf(await changes(token, `cursor=${cursor}`)), []);
  assert.deepEqual(
    summaryOf(await changes(token)),
    ["added 3", "added 1", "added 2"],
    "as in the served graph",
  );
  await server.graphs.publish(connection.id);
  assert.deepEqual(summaryOf(await changes(token, `cursor=${cursor}`)), [
    "changed 1",
    "added 7",
    "removed 2",
  ]);
});

test("GRAPH-11: removals older than 90 days are deleted, and older cursors expire", async (t) => {
  const { server, connection, token } = await setUp(t);
  const { database, clock } = server.fixture;
  const { next_cursor: old } = await changes(token);
  await server.sync(connection, pages.slice(1));
  const { next_cursor: recent } = await changes(token);
  clock.advance(91 * day);
  await database.transaction(async (trx) => {
    const { revision } = await trx
      .selectFrom("connections")
      .select("revision")
      .where("id", "=", connection.id)
      .executeTakeFirstOrThrow();
    await trx.deleteFrom("tombstones").execute();
    await trx.updateTable("connections").set({ forgotten_revision: revision }).execute();
  });
  assertRefused(await token.get(`/changes/?cursor=${old}`), "cursor_expired");
  assert.deepEqual(summaryOf(await changes(token, `cursor=${recent}`)), []);
  assert.deepEqual(summaryOf(await changes(token)), ["added 2", "added 3"]);
  // A client that began after the removals never held what they removed, however slowly it reads.
  const begun = await changes(token, "limit=1");
  assert.deepEqual(summaryOf(await changes(token, `cursor=${begun.next_cursor}`)), ["added 3"]);
});

test("GRAPH-12: a cursor of the feed is bound to user, workspaces and parameters", async (t) => {
  const { server, owner, connection, token } = await setUp(t);
  const { next_cursor: cursor } = await changes(token);
  const at = (query: string) => `/changes/?${query}&cursor=${cursor}`;
  assertRefused(await token.get(at(`workspace_id=${workspace}`)), "invalid_cursor");
  assertRefused(await owner.session.get(at("")), "invalid_cursor");
  assertRefused(await token.get(`/search/?q=page&cursor=${cursor}`), "invalid_cursor");
  assertRefused(await token.get(`${at("")}A`), "invalid_cursor");
  const colleague = await server.person("colleague");
  await colleague.connect(workspace, pages);
  const theirs = await colleague.token({ workspaceIds: [workspace] });
  assertRefused(await theirs.get(at("")), "invalid_cursor");
  await owner.connect(other);
  const wider = await owner.token({ workspaceIds: [workspace, other] });
  assertRefused(await wider.get(at("")), "invalid_cursor");
  assert.equal((await wider.get(`/changes/?workspace_id=${workspace}`)).status, 200);
  assert.equal((await token.get(`/changes/?workspace_id=${other}`)).status, 403);

  await server.disconnect(connection);
  await owner.connect(workspace, pages);
  assertRefused(await token.get(at("")), "cursor_expired");
});

test("GRAPH-11: workspaces are listed one after the other, each with its own changes", async (t) => {
  const { server, owner, connection } = await setUp(t);
  const second = await owner.connect(other, [{ number: 11 }, { number: 12 }]);
  const full = await changes(owner.session, "limit=2");
  assert.deepEqual([summaryOf(full), full.more], [["added 1", "added 2"], true], "none of the second one");
  const first = await changes(owner.session, "limit=4");
  assert.deepEqual([summaryOf(first), first.more], [["added 1", "added 2", "added 3", "added 11"], true]);
  await server.sync(connection, [...pages, { number: 5 }]);
  const rest = await changes(owner.session, `limit=4&cursor=${first.next_cursor}`);
  assert.deepEqual([summaryOf(rest), rest.more], [["added 5", "added 12"], false]);
  await server.sync(second, [{ number: 12 }]);
  assert.deepEqual(summaryOf(await changes(owner.session, `cursor=${rest.next_cursor}`)), ["removed 11"]);
});
