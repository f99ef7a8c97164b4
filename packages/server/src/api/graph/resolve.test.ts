import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node } from "@clew/contract";
import { nodeId } from "../../store/testing/scratch.ts";
import { type Bearer, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const jupiter = nodeId(2);
const digits = jupiter.replaceAll("-", "");
const short = digits.slice(-8);
/** Another page whose id has the same last eight digits. */
const sharing = `ffffffff${jupiter.slice(8)}`;
const folder = `<page url="https://www.notion.so/${digits}">Moons</page>`;

const pages = [
  { number: 1, given: { title: "Solar System" } },
  { number: 2, given: { title: "Jupiter", parentId: nodeId(1) } },
  { number: 3, given: { title: "Twin" } },
  { number: 4, given: { title: "Twin" } },
  { number: 5, given: { title: "Moons" }, text: folder },
  { number: 6, given: { title: "Moons", parentId: nodeId(5) }, text: "They orbit planets." },
  { number: 7, given: { title: "Io", aliases: ["Jupiter I"] } },
];

const resolved = async (caller: Bearer, page: string): Promise<readonly string[]> => {
  const { status, body } = await caller.get(`/resolve/?${new URLSearchParams({ page })}`);
  assert.equal(status, 200, JSON.stringify(body));
  const items: readonly Node[] = body.items;
  return items.map(({ id }) => id);
};

test("GRAPH-33: a page is resolved by URL, id, short id, title, place, and as answers print it", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  for (const text of [
    jupiter,
    digits,
    `https://www.notion.so/Jupiter-${digits}`,
    short,
    `[${short}]`,
    `Jupiter [${short}]`,
    `[Jupiter](${short})`,
    " jupiter ",
    "Solar System › Jupiter",
    "## Jupiter",
    `- Jupiter [${short}] · Solar System · edited 2031-01-01`,
  ]) {
    for (const caller of [token, owner.session])
      assert.deepEqual(await resolved(caller, text), [jupiter], text);
  }
  assert.deepEqual(await resolved(token, "Jupiter I"), [nodeId(7)]);
  const { body } = await token.get("/resolve/?page=Jupiter");
  assert.deepEqual(body.items[0], (await token.get("/search/?q=jupiter")).body.items[0].node);
});

test("GRAPH-33: all pages that a text may mean are listed, at most ten, and none if none is meant", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const many = Array.from({ length: 12 }, (_, index) => ({
    number: 20 + index,
    given: { title: "Diary", updatedAt: 1000 * index },
  }));
  await owner.connect(workspace, [
    ...pages,
    ...many,
    { number: 50, given: { id: sharing, title: "Sinope" } },
  ]);
  const token = await owner.token({ workspaceIds: [workspace] });
  assert.deepEqual(new Set(await resolved(token, "Twin")), new Set([nodeId(3), nodeId(4)]));
  assert.deepEqual(new Set(await resolved(token, short)), new Set([jupiter, sharing]));
  const best = await token.get("/search/?q=diary&limit=10");
  assert.deepEqual(
    await resolved(token, "Diary"),
    best.body.items.map(({ node }: { node: Node }) => node.id),
  );
  for (const text of ["Neptune", nodeId(99), "deadbeef", "Jupitr"])
    assert.deepEqual(await resolved(token, text), [], text);
});

test("GRAPH-33: what a token may not read is not resolved, nor does it make a title ambiguous", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 3, given: { title: "Twin" } }]);
  await owner.connect(other, [
    { number: 4, given: { title: "Twin" } },
    { number: 8, given: { title: "Secret" } },
  ]);
  const stranger = await server.person("stranger");
  await stranger.connect("33333333-3333-4333-8333-333333333333", [
    { number: 9, given: { title: "Private" } },
  ]);
  const token = await owner.token({ workspaceIds: [workspace] });
  assert.deepEqual(await resolved(token, "Twin"), [nodeId(3)]);
  for (const number of [8, 9]) {
    const title = number === 8 ? "Secret" : "Private";
    for (const text of [
      title,
      nodeId(number),
      nodeId(number).slice(-8),
      `${title} [${nodeId(number).slice(-8)}]`,
    ])
      assert.deepEqual(await resolved(token, text), [], text);
  }
});

test("GRAPH-33: a page is preferred to a folder of its title only with graph:read", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const reader = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search", "graph:read"] });
  assert.deepEqual(await resolved(reader, "Moons"), [nodeId(6)]);
  assert.deepEqual(await resolved(owner.session, "Moons"), [nodeId(6)]);
  const searcher = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  assert.equal((await resolved(searcher, "Moons")).length, 2);
});

test("GRAPH-33: the text is needed and limited, and so is the scope", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  for (const query of ["", "?page=", "?page=%20", `?page=${"a".repeat(2001)}`, "?page=Jupiter&limit=1"]) {
    const { status, body } = await token.get(`/resolve/${query}`);
    assert.deepEqual([status, body.code], [400, "invalid_request"], query);
  }
  const brackets = "[deadbeef]".repeat(200);
  assert.deepEqual(await resolved(token, brackets), []);
  const narrow = await owner.token({ workspaceIds: [workspace], scopes: ["graph:read", "graph:neighbors"] });
  const refused = await narrow.get("/resolve/?page=Jupiter");
  assert.deepEqual([refused.status, refused.body.code], [403, "insufficient_scope"]);
});
