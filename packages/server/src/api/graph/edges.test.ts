import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** 1 is the parent of 2 and links twice to 3, which relates to 4 and mentions 2. */
const pages = [
  { number: 1, references: [referenceTo(3, { count: 2 })] },
  { number: 2, given: { parentId: nodeId(1) } },
  {
    number: 3,
    references: [referenceTo(4, { type: "relation", name: "Of" }), referenceTo(2, { type: "mention" })],
  },
  { number: 4 },
] as const;

const among = (...numbers: number[]) => `/edges/?ids=${numbers.map(nodeId).join(",")}`;

test("GRAPH-31: the edges among nodes are listed by their ends, those of several workspaces too", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  await owner.connect(other, [{ number: 8, references: [referenceTo(9)] }, { number: 9 }]);
  const token = await owner.token({ workspaceIds: [workspace, other], scopes: ["graph:neighbors"] });
  const { status, body } = await token.get(among(9, 3, 2, 1, 8, 3));
  assert.equal(status, 200);
  assert.deepEqual(body, {
    items: [
      { from: nodeId(1), to: nodeId(2), type: "child", name: null, count: 1 },
      { from: nodeId(1), to: nodeId(3), type: "link", name: null, count: 2 },
      { from: nodeId(3), to: nodeId(2), type: "mention", name: null, count: 1 },
      { from: nodeId(8), to: nodeId(9), type: "link", name: null, count: 1 },
    ],
    missing: [],
    truncated: false,
  });
  assert.deepEqual((await owner.session.get(among(9, 3, 2, 1, 8, 3))).body, body);
  const related = (await token.get(`${among(1, 2, 3, 4)}&edge_type=relation`)).body.items;
  assert.deepEqual(related, [{ from: nodeId(3), to: nodeId(4), type: "relation", name: "Of", count: 1 }]);
});

test("GRAPH-31, GRAPH-10: nodes that the caller may not read are missing, like those that do not exist", async (t) => {
  const server = await serveGraphs(t);
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  await owner.connect(workspace, pages);
  await owner.connect(other, [{ number: 8, references: [referenceTo(9)] }, { number: 9 }]);
  await colleague.connect(workspace, pages.slice(0, 1));
  const token = await owner.token({ workspaceIds: [workspace] });
  const missing = [nodeId(9), nodeId(7), nodeId(8)];
  assert.deepEqual((await token.get(among(9, 7, 8, 4))).body, { items: [], missing, truncated: false });
  const seen = (await colleague.session.get(among(1, 2))).body;
  assert.deepEqual(seen, { items: [], missing: [nodeId(2)], truncated: false });
  const narrow = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search", "graph:read"] });
  assert.equal((await narrow.get(among(1))).body.code, "insufficient_scope");
});

test("GRAPH-31: 1 to 200 ids are accepted, and 200 fit into a URL", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const list = (count: number) =>
    Array.from({ length: count }, (_, number) => nodeId(number + 1).replaceAll("-", "")).join("%2C");
  const most = await owner.session.get(`/edges/?ids=${list(200)}`);
  assert.deepEqual([most.status, most.body.items.length, most.body.missing.length], [200, 4, 196]);
  for (const query of ["", "?ids=", "?ids=x", `?ids=${list(201)}`, `?ids=${list(1)}&edge_type=x`]) {
    const { status, body } = await owner.session.get(`/edges/${query}`);
    assert.deepEqual([status, body.code], [400, "invalid_request"], query);
  }
  assert.deepEqual((await owner.session.get("/edges/?ids=")).body.errors, [
    { path: "?ids", message: "is empty: it must list 1 to 200 nodes" },
  ]);
});
