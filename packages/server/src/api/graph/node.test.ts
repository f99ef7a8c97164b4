import assert from "node:assert/strict";
import { test } from "node:test";
import { failContent, removeNodes } from "../../store/queries/graph-pages.ts";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { saveContent } from "../../store/testing/write-graph.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

test("GRAPH-4: a node in detail", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const properties = {
    Status: "Done",
    Tags: ["a", "b"],
    Due: { start: "2031-01-01", end: null },
    Count: 0.5,
    Done: false,
    Empty: null,
    "": "a property without a name",
    toJSON: "a property of this name",
    ["__proto__"]: "and of this one",
    'ünïcode "quoted" \u2028': "😀",
  };
  await owner.connect(workspace, [
    { number: 1, given: { title: "Root", type: "database" } },
    { number: 2, given: { title: "", parentId: nodeId(1) } },
    {
      number: 3,
      given: { title: "Leaf", parentId: nodeId(2), icon: "🌍", url: "https://example.com/3", properties },
      references: [
        referenceTo(1, { type: "relation", name: "Of" }),
        referenceTo(9, { type: "relation", name: "Of" }),
      ],
      text: "Text",
      textReferences: [
        referenceTo(1, { count: 2 }),
        referenceTo(2, { type: "mention" }),
        referenceTo(3),
        referenceTo(8, { count: 3, targetName: "a draft" }),
      ],
    },
  ]);
  const { status, text, body } = await owner.session.get(`/nodes/${nodeId(3)}/`);
  assert.equal(status, 200);
  const none = { in: 0, out: 0 };
  const one = { in: 0, out: 1 };
  assert.deepEqual(body, {
    id: nodeId(3),
    workspace_id: workspace,
    type: "page",
    title: "Leaf",
    icon: "🌍",
    url: "https://example.com/3",
    parent_id: nodeId(2),
    created_at: "1970-01-01T00:00:00.001Z",
    updated_at: "1970-01-01T00:00:00.001Z",
    degree: { in: 1, out: 3 },
    importance: 0.5,
    properties: JSON.parse(JSON.stringify(properties)),
    breadcrumb: [
      { id: nodeId(1), title: "Root" },
      { id: nodeId(2), title: "" },
    ],
    edges_by_type: { child: { in: 1, out: 0 }, mention: one, link: one, relation: one },
    unresolved: [
      { type: "link", target_id: nodeId(8), name: "a draft", count: 3 },
      { type: "relation", target_id: nodeId(9), name: null, count: 1 },
    ],
    content_state: "ready",
    truncated: false,
  });
  assert.match(text, /"__proto__":"and of this one"/);

  const root = (await owner.session.get(`/nodes/${nodeId(1)}/`)).body;
  assert.deepEqual(
    [root.type, root.parent_id, root.breadcrumb, root.content_state],
    ["database", null, [], "pending"],
  );
  assert.deepEqual(root.edges_by_type, {
    child: one,
    mention: none,
    link: { in: 1, out: 0 },
    relation: { in: 1, out: 0 },
  });
});

test("GRAPH-4: content_state reports the state of a node's text", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, [
    { number: 1 },
    { number: 2 },
    { number: 3, text: "Text" },
  ]);
  await server.fixture.database.transaction(async (trx) => {
    await saveContent(trx, connection.id, nodeId(1), { markdown: "", references: [], state: "empty" });
    await failContent(trx, connection.id, nodeId(2), "the provider said no");
  });
  const stateOf = async (number: number) =>
    (await owner.session.get(`/nodes/${nodeId(number)}/`)).body.content_state;
  assert.deepEqual([await stateOf(1), await stateOf(2), await stateOf(3)], ["empty", "failed", "ready"]);
});

test("a node's id is accepted with or without dashes, in any case, with or without a trailing slash", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 0xabc, text: "Text" }, { number: 2 }]);
  const id = nodeId(0xabc);
  for (const below of ["", "content", "neighbors"]) {
    const { text: expected, status } = await owner.session.get(`/nodes/${id}/${below}`);
    assert.equal(status, 200);
    for (const spelled of [id.toUpperCase(), id.replaceAll("-", ""), id.replaceAll("-", "").toUpperCase()]) {
      const path = `/nodes/${spelled}${below && "/"}${below}`;
      assert.equal((await owner.session.get(path)).text, expected, path);
      assert.equal((await owner.session.get(`${path}/`)).text, expected, path);
    }
  }
});

test("GRAPH-10: a malformed id in a path is 404", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  const id = nodeId(1);
  const malformed = [
    "x",
    `${id}0`,
    id.slice(1),
    `{${id}}`,
    ` ${id}`,
    "%00",
    "0-0",
    id.replace("-", "_"),
    "é",
    "..%2f",
    "null",
  ];
  for (const text of malformed) {
    for (const below of ["", "content/", "neighbors/"]) {
      const { status, body } = await owner.session.get(`/nodes/${encodeURI(text)}/${below}`);
      assert.deepEqual([status, body.code], [404, "node_not_found"], text);
    }
  }
});

test("GRAPH-4: a node that a sync removed after its graph was published is 404", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace, [{ number: 1 }]);
  await server.fixture.database.transaction((trx) => removeNodes(trx, id, [nodeId(1)], 0));
  const removed = await owner.session.get(`/nodes/${nodeId(1)}/`);
  assert.deepEqual([removed.status, removed.body.code], [404, "node_not_found"]);
});

test("GRAPH-4: only readable workspaces are searched", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [{ number: 1 }]);
  await owner.connect(other, [{ number: 2 }]);
  const both = await owner.token({ workspaceIds: [workspace, other] });
  const one = await owner.token({ workspaceIds: [other] });
  assert.equal((await both.get(`/nodes/${nodeId(1)}/`)).body.workspace_id, workspace);
  assert.equal((await both.get(`/nodes/${nodeId(2)}/`)).body.workspace_id, other);
  assert.equal((await one.get(`/nodes/${nodeId(1)}/`)).status, 404);
  assert.equal((await one.get(`/nodes/${nodeId(2)}/`)).status, 200);
});
