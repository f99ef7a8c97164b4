import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Tree } from "@clew/contract";
import { minute } from "../../auth/testing/auth-fixture.ts";
import { nodeId } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { followList, nextOf, type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const placed = (number: number, title: string, parent: number | null = null): SeededPage => ({
  number,
  given: { title, parentId: parent === null ? null : nodeId(parent) },
});

const pages: readonly SeededPage[] = [
  placed(1, "Home"),
  placed(2, "Zoo", 1),
  { number: 3, given: { title: "Books", parentId: nodeId(1), type: "database" } },
  placed(4, "Emma", 3),
  placed(5, "Deep", 2),
  placed(6, "Deeper", 5),
  placed(7, "attic"),
];

async function setUp(t: TestContext) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  await owner.connect(other, [placed(11, "Elsewhere")]);
  return { server, owner, connection };
}

const outline = ({ body }: Answer): string[] =>
  body.items.map(
    ({ node, depth, children, below }: Tree["items"][number]) =>
      `${depth} ${node.title} ${children} ${below}`,
  );

test("GRAPH-25: the tree is one list, each page before what is in it, with counts", async (t) => {
  const { owner } = await setUp(t);
  const at = async (query: string) => outline(await owner.session.get(`/tree/?${query}`));
  assert.deepEqual(await at(""), [
    "1 attic 0 0",
    "1 Home 2 5",
    "2 Books 1 1",
    "2 Zoo 1 2",
    "1 Elsewhere 0 0",
  ]);
  assert.deepEqual(await at(`workspace_id=${workspace}&depth=1`), ["1 attic 0 0", "1 Home 2 5"]);
  assert.deepEqual(await at(`under=${nodeId(1)}&depth=10`), [
    "1 Books 1 1",
    "1 Zoo 1 2",
    "2 Deep 1 1",
    "3 Deeper 0 0",
  ]);
  assert.deepEqual(await at(`under=${nodeId(3)}`), ["1 Emma 0 0"]);
  assert.deepEqual(await at(`under=https://www.notion.so/${nodeId(7).replaceAll("-", "")}`), []);
});

test("GRAPH-12: the tree is the same in pages of any size, over several workspaces", async (t) => {
  const { owner } = await setUp(t);
  const whole = await owner.session.get("/tree/?depth=10");
  assert.equal(whole.body.next_cursor, null);
  assert.equal(whole.body.items.length, 7);
  for (const limit of [1, 2, 3, 6, 7]) {
    const { items } = await followList(owner.session, `/tree/?depth=10&limit=${limit}`);
    assert.deepEqual(items, whole.body.items, `by ${limit}`);
  }
});

test("GRAPH-12: a cursor of the tree is bound to its parameters, and continues in the graph that it began in", async (t) => {
  const { server, owner, connection } = await setUp(t);
  const first = await owner.session.get("/tree/?limit=2");
  const next = nextOf(first);
  for (const changed of [
    `${next}&depth=3`,
    `${next}&under=${nodeId(1)}`,
    `${next}&workspace_id=${workspace}`,
  ]) {
    const { status, body } = await owner.session.get(changed);
    assert.deepEqual([status, body.code], [400, "invalid_cursor"], changed);
  }
  await server.sync(connection, [placed(8, "All new")]);
  assert.deepEqual(outline(await owner.session.get(next)), ["2 Books 1 1", "2 Zoo 1 2"]);
  server.fixture.clock.advance(2 * minute);
  const { status, body } = await owner.session.get(next);
  assert.deepEqual([status, body.code], [410, "cursor_expired"]);
});

test("GRAPH-25: depth and limit have bounds, and an unknown page is not found", async (t) => {
  const { owner } = await setUp(t);
  for (const [name, value] of [
    ["depth", "0"],
    ["depth", "11"],
    ["limit", "501"],
    ["under", "x"],
  ]) {
    const { status, body } = await owner.session.get(`/tree/?${name}=${value}`);
    assert.deepEqual([status, body.errors[0].path], [400, `?${name}`]);
  }
  assert.equal((await owner.session.get(`/tree/?under=${nodeId(99)}`)).status, 404);
  const elsewhere = await owner.session.get(`/tree/?under=${nodeId(11)}&workspace_id=${workspace}`);
  assert.equal(elsewhere.status, 404);
});
