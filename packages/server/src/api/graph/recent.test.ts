import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Recent } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { type Bearer, nextOf, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";
const hour = 3_600_000;
const day = 24 * hour;

async function setUp(t: TestContext) {
  const server = await serveGraphs(t);
  const now = server.fixture.clock();
  const owner = await server.person("owner");
  const aged = (number: number, created: number, updated: number, given = {}) => ({
    number,
    given: { createdAt: now - created, updatedAt: now - updated, ...given },
  });
  const pages = [
    aged(1, 30 * day, 20 * day),
    aged(2, 30 * day, 3 * day),
    aged(3, 2 * day, hour),
    aged(4, 30 * day, hour, { type: "database", parentId: nodeId(2) }),
    aged(5, 5 * day, 10 * day),
  ];
  const connection = await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace, other] });
  return { server, now, owner, aged, pages, connection, token };
}

async function recent(bearer: Bearer, query = ""): Promise<Recent> {
  const { status, text, body } = await bearer.get(`/recent/?${query}`);
  assert.equal(status, 200, text);
  return body;
}

const numberOf = (id: string) => Number.parseInt(id.slice(-4), 16);
const summaryOf = ({ items }: Recent) => items.map(({ change, node_id }) => `${change} ${numberOf(node_id)}`);

test("GRAPH-29: recent changes are those of the last seven days, newest first, then by id", async (t) => {
  const { token, now } = await setUp(t);
  const list = await recent(token);
  assert.deepEqual(summaryOf(list), ["added 3", "changed 4", "changed 2", "added 5"]);
  assert.deepEqual([list.total, list.next_cursor], [4, null]);
  const ages = list.items.map(({ at }) => now - Date.parse(at));
  assert.deepEqual(ages, [hour, hour, 3 * day, 5 * day]);
  for (const { node, node_id, what } of list.items) {
    const { body } = await token.get(`/nodes/?ids=${node_id}`);
    assert.deepEqual([node, what], [body.items[0], []], "Clew saw the page for the first time");
  }
  assert.deepEqual(summaryOf(await recent(token, "since=24h")), ["changed 3", "changed 4"]);
  assert.deepEqual((await recent(token, "since=4w")).total, 5);
  const since = encodeURIComponent(new Date(now - 3 * day).toISOString());
  assert.deepEqual(summaryOf(await recent(token, `since=${since}`)), ["added 3", "changed 4", "changed 2"]);
});

test("GRAPH-29: a removal is listed when Clew noticed it, unless the page came back", async (t) => {
  const { server, pages, connection, token, now } = await setUp(t);
  await server.sync(connection, pages.slice(2));
  const list = await recent(token, "since=48h");
  assert.deepEqual(summaryOf(list), ["removed 1", "removed 2", "added 3", "changed 4"]);
  assert.deepEqual([list.items[0]?.node, list.items[0]?.what, list.total], [null, [], 4]);
  assert.equal(Date.parse(list.items[0]?.at ?? ""), now);
  assert.deepEqual(summaryOf(await recent(token, "since=48h&type=page")), ["added 3"]);
  assert.deepEqual(summaryOf(await recent(token, `since=48h&under=${nodeId(4)}`)), ["changed 4"]);
  await server.sync(connection, pages);
  assert.deepEqual(summaryOf(await recent(token, "since=48h")), ["added 3", "changed 4"]);
});

test("GRAPH-29: a changed page says what its last edit changed", async (t) => {
  const { server, aged, pages, connection, token } = await setUp(t);
  const edit = (at: number, title: string, properties = {}, references = [referenceTo(3)]) => [
    { ...aged(1, 30 * day, at, { title, properties }), references },
    ...pages.slice(1),
  ];
  const what = async () => (await recent(token)).items.find(({ node_id }) => numberOf(node_id) === 1)?.what;
  await server.sync(connection, edit(4 * hour, "Renamed"));
  assert.deepEqual(await what(), ["title", "references"]);
  await server.sync(connection, edit(3 * hour, "Renamed", { a: 1 }));
  assert.deepEqual(await what(), ["properties"]);
  await server.sync(connection, edit(3 * hour, "Renamed", { a: 1 }, [referenceTo(2)]));
  assert.deepEqual(await what(), ["properties", "references"], "the text of that edit was read later");
  await server.sync(connection, edit(2 * hour, "Renamed", { a: 1 }, [referenceTo(2)]));
  assert.deepEqual(await what(), []);
});

test("GRAPH-29, SRC-2: the list is paged over all workspaces, and its cursor ends with a newer graph", async (t) => {
  const { server, owner, aged, pages, connection, token } = await setUp(t);
  const second = await owner.connect(other, [aged(9, 30 * day, hour), aged(8, 30 * day, 4 * day)]);
  await server.sync(connection, pages.slice(1));
  const isRead = ({ id }: { readonly id: number }) => server.givenCursors.readingLeft(id) > 0;
  const whole = await recent(token);
  assert.equal(whole.items.length, 7);
  assert(!isRead(connection), "SRC-2: a whole list has no cursor to wait for");
  assert.deepEqual(
    whole.items,
    whole.items.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at) || (a.node_id < b.node_id ? -1 : 1)),
  );
  for (const limit of [1, 2, 3]) {
    const items = [];
    let answer = await token.get(`/recent/?limit=${limit}`);
    for (;;) {
      assert.deepEqual([answer.status, answer.body.total], [200, 7]);
      items.push(...answer.body.items);
      if (answer.body.next_cursor === null) break;
      answer = await token.get(nextOf(answer));
    }
    assert.deepEqual(items, whole.items);
  }
  const first = await token.get("/recent/?limit=2");
  assert(isRead(connection) && isRead(second));
  await server.sync(second, [aged(9, 30 * day, hour)]);
  const next = await token.get(nextOf(first));
  assert.deepEqual([next.status, next.body.code], [410, "cursor_expired"]);
  assert.deepEqual((await token.get(`/recent/?since=2d&cursor=${first.body.next_cursor}`)).status, 400);
});

test("GRAPH-29: filters of workspace, type and place", async (t) => {
  const { owner, aged, token } = await setUp(t);
  await owner.connect(other, [aged(9, 30 * day, hour)]);
  assert.deepEqual(summaryOf(await recent(token, `workspace_id=${other}`)), ["changed 9"]);
  assert.deepEqual(summaryOf(await recent(token, "type=database")), ["changed 4"]);
  const under = await recent(token, `under=${nodeId(2)}`);
  assert.deepEqual([summaryOf(under), under.total], [["changed 4", "changed 2"], 2]);
  assert.equal((await token.get(`/recent/?under=${nodeId(77)}`)).status, 404);
});

test("GRAPH-29: times beyond 90 days, and what is no time, are refused", async (t) => {
  const { token } = await setUp(t);
  for (const since of ["91d", "2001-01-01", "yesterday", "", "2026-02-30"]) {
    const { status, body } = await token.get(`/recent/?since=${since}`);
    assert.deepEqual([status, body.errors?.[0]?.path], [400, "?since"], since);
  }
  assert.equal((await token.get("/recent/?since=90d")).status, 200);
});

test("GRAPH-29: both scopes are needed", async (t) => {
  const { owner } = await setUp(t);
  for (const scopes of [["graph:search"], ["graph:read"]] as const) {
    const token = await owner.token({ workspaceIds: [workspace], scopes });
    assert.equal((await token.get("/recent/")).status, 403);
  }
});

test("GRAPH-12, GRAPH-29: removals that come after those of pages which came back are listed, each page once", async (t) => {
  const { server, aged, connection, token } = await setUp(t);
  const page = (number: number) => aged(number, 90 * day, 89 * day);
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  const all = numbers(1, 41).map(page);
  await server.sync(connection, all);
  // In the order of the list: pages 1 to 5 are gone, 6 to 35 came back, 36 to 40 are gone twice.
  await server.sync(connection, all.slice(0, 35));
  await server.sync(connection, all);
  await server.sync(connection, []);
  await server.sync(connection, all.slice(5, 35));
  const expected = [...numbers(1, 6), ...numbers(36, 41)];
  for (const limit of [3, 7, 50]) {
    const listed: number[] = [];
    let cursor: string | null = null;
    do {
      const list: Recent = await recent(token, `limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
      listed.push(...list.items.map(({ node_id }) => numberOf(node_id)));
      assert.equal(list.total, expected.length);
      cursor = list.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(listed, expected, `limit=${limit}`);
  }
});
