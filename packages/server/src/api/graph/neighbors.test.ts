import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { followList, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";

/** 1 is the parent of 2 and links twice to 3, which relates to the database 4 and mentions 2. */
const pages = [
  { number: 1, references: [referenceTo(3, { count: 2 })] },
  { number: 2, given: { parentId: nodeId(1) } },
  {
    number: 3,
    references: [referenceTo(4, { type: "relation", name: "Of" }), referenceTo(2, { type: "mention" })],
  },
  { number: 4, given: { type: "database" } },
] as const;

const around = (number: number, query = "") => `/nodes/${nodeId(number)}/neighbors/${query}`;

const idsOf = ({ body }: Answer): string[] => body.items.map(({ node }: { readonly node: Node }) => node.id);

test("GRAPH-7: neighbours are listed with the edges that lead to them", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const { status, body } = await owner.session.get(around(1));
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["node", "items", "next_cursor", "truncated", "visited"]);
  assert.deepEqual([body.node.id, body.node.degree], [nodeId(1), { in: 0, out: 2 }]);
  assert.deepEqual(
    body.items.map(({ node, depth, edges }: (typeof body.items)[number]) => [node.id, depth, edges]),
    [
      [nodeId(2), 1, [{ from: nodeId(1), to: nodeId(2), type: "child", name: null, count: 1 }]],
      [nodeId(3), 1, [{ from: nodeId(1), to: nodeId(3), type: "link", name: null, count: 2 }]],
    ],
  );
  assert.deepEqual([body.next_cursor, body.truncated, body.visited], [null, false, 3]);
  assert.deepEqual(body.items[0].node, (await owner.session.get(`/nodes/?ids=${nodeId(2)}`)).body.items[0]);
});

test("GRAPH-7: direction, types and depth filter the walk", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const at = async (number: number, query: string) => idsOf(await owner.session.get(around(number, query)));
  assert.deepEqual(await at(2, "?direction=in"), [nodeId(1), nodeId(3)]);
  assert.deepEqual(await at(2, "?direction=out"), []);
  assert.deepEqual(await at(2, "?direction=in&edge_type=link,mention"), [nodeId(3)], "backlinks");
  assert.deepEqual(await at(3, "?edge_type=relation"), [nodeId(4)]);
  assert.deepEqual(await at(3, "?node_type=database"), [nodeId(4)]);
  assert.deepEqual(await at(1, "?depth=2&direction=out"), [nodeId(2), nodeId(3), nodeId(4)]);
  assert.deepEqual(await at(1, "?depth=2&node_type=database"), [nodeId(4)]);
});

test("GRAPH-7: an invalid parameter is reported by name", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, pages);
  const invalid = {
    direction: ["", "up", "in,out"],
    edge_type: ["", "link,", "links", "link,relations", "LINK"],
    node_type: ["", "pages", "page,,database"],
    depth: ["0", "4", "1.5", "x", "1e400"],
    limit: ["0", "201", "-1", "x", "1e400"],
  };
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) {
      const { status, body } = await owner.session.get(around(1, `?${name}=${value}`));
      assert.deepEqual([status, body.errors?.[0].path], [400, `?${name}`], `${name}=${value}`);
    }
  }
  assert.equal((await owner.session.get(around(1, "?deep=1"))).body.errors[0].path, "?deep");
});

/** A hub with spokes of both types, some of them linked, and a second ring of nodes. */
const wheel = [
  { number: 1, references: Array.from({ length: 40 }, (_, spoke) => referenceTo(spoke + 2)) },
  ...Array.from({ length: 40 }, (_, spoke) => ({
    number: spoke + 2,
    given: { type: spoke % 3 === 0 ? "database" : "page" } as const,
    references: [referenceTo(((spoke * 7) % 40) + 2, { type: "mention" }), referenceTo(100 + (spoke % 20))],
  })),
  ...Array.from({ length: 20 }, (_, far) => ({ number: 100 + far })),
];

test("GRAPH-12: the pages of neighbours together are the whole list", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, wheel);
  const token = await owner.token({ workspaceIds: [workspace] });
  for (const query of ["?depth=2", "?depth=1&node_type=page", "?depth=3&direction=both&edge_type=link"]) {
    const whole = await token.get(around(1, `${query}&limit=200`));
    assert.equal(whole.body.next_cursor, null);
    for (const limit of [1, 7, 20]) {
      const { items, pages } = await followList(token, around(1, `${query}&limit=${limit}`));
      assert.deepEqual(items, whole.body.items, `${query} by ${limit}`);
      assert.equal(pages, Math.ceil(items.length / limit));
    }
  }
});

test("GRAPH-12: each page of a list may have its own size", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, wheel);
  const whole = await owner.session.get(around(1, "?depth=2&limit=200"));
  const first = await owner.session.get(around(1, "?depth=2&limit=3"));
  const rest = await owner.session.get(around(1, `?depth=2&limit=200&cursor=${first.body.next_cursor}`));
  assert.deepEqual([...first.body.items, ...rest.body.items], whole.body.items);
});
