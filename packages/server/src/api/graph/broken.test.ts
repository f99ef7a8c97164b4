import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Broken } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { type Bearer, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const text = "First [a plan](x). Then [it](x) again, and [two](y).";

const pages = [
  {
    number: 1,
    given: { title: "beta" },
    text,
    textReferences: [
      referenceTo(90, { offsets: [6, 24], count: 2, targetName: "a plan" }),
      referenceTo(2, { offsets: [43] }),
    ],
    references: [referenceTo(80, { type: "relation", name: "Plan" })],
  },
  { number: 2, given: { title: "Alpha", parentId: nodeId(1) }, references: [referenceTo(91)] },
  { number: 3, given: { title: "Gamma" }, references: [referenceTo(1)] },
];

async function setUp(t: TestContext) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  await owner.connect(other, [{ number: 9, given: { title: "Another" }, references: [referenceTo(1)] }]);
  const token = await owner.token({ workspaceIds: [workspace, other] });
  return { server, owner, connection, token };
}

async function broken(bearer: Bearer, query = ""): Promise<Broken> {
  const { status, text: body, body: message } = await bearer.get(`/broken/?${query}`);
  assert.equal(status, 200, body);
  return message;
}

const numberOf = (id: string) => Number.parseInt(id.slice(-4), 16);
const summaryOf = ({ items }: Broken) =>
  items.map(({ node, target_id }) => [node.title, numberOf(target_id)]);

const all = [
  ["Alpha", 91],
  ["Another", 1],
  ["beta", 80],
  ["beta", 90],
];

test("GRAPH-32: broken references are listed by the title of their page, then by target, with what surrounds them", async (t) => {
  const { token } = await setUp(t);
  const list = await broken(token);
  assert.deepEqual(summaryOf(list), all);
  assert.deepEqual([list.total, list.next_cursor], [4, null]);
  const [, , relation, link] = list.items;
  assert.deepEqual(
    { ...relation, node: undefined },
    { node: undefined, type: "relation", target_id: nodeId(80), name: null, count: 1, excerpts: [] },
  );
  assert.deepEqual([link?.type, link?.name, link?.count], ["link", "a plan", 2]);
  assert.deepEqual(link?.excerpts, [
    { offset: 0, text: "First a plan.", marks: [[6, 12]] },
    { offset: 19, text: "Then it again, and two.", marks: [[5, 7]] },
  ]);
  const { body } = await token.get(`/nodes/${nodeId(1)}/`);
  const known = list.items.filter(({ node }) => node.id === nodeId(1));
  assert.deepEqual(
    body.unresolved.map(({ target_id }: { target_id: string }) => target_id).toSorted(),
    known.map(({ target_id }) => target_id),
  );
});

test("GRAPH-32: following the cursor lists every reference once, wherever a page ends", async (t) => {
  const { token } = await setUp(t);
  for (const limit of [1, 2, 3]) {
    const found: unknown[] = [];
    let cursor = "";
    do {
      const page = await broken(token, `limit=${limit}${cursor}`);
      assert.equal(page.total, 4);
      found.push(...summaryOf(page));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    assert.deepEqual(found, all, `limit ${limit}`);
  }
  const { next_cursor: next } = await broken(token, "limit=1");
  assert.equal((await token.get(`/broken/?under=${nodeId(1)}&cursor=${next}`)).status, 400);
});

test("GRAPH-32: a workspace and what is below a page are listed alone; a link that resolves is no longer listed", async (t) => {
  const { server, connection, token } = await setUp(t);
  assert.deepEqual(summaryOf(await broken(token, `workspace_id=${other}`)), [["Another", 1]]);
  assert.deepEqual(summaryOf(await broken(token, `under=${nodeId(2)}`)), [["Alpha", 91]]);
  assert.deepEqual((await broken(token, `under=${nodeId(1)}`)).total, 3);
  assert.equal((await token.get(`/broken/?under=${nodeId(77)}`)).status, 404);
  await server.sync(connection, [...pages, { number: 90 }, { number: 91 }]);
  assert.deepEqual(summaryOf(await broken(token)), [
    ["Another", 1],
    ["beta", 80],
  ]);
});

test("GRAPH-10: broken references need the scopes to search and to read", async (t) => {
  const { owner } = await setUp(t);
  for (const scope of ["graph:search", "graph:read"] as const) {
    const token = await owner.token({ workspaceIds: [workspace], scopes: [scope] });
    assert.equal((await token.get("/broken/")).status, 403);
  }
});
