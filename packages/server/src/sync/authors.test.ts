import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { buildColumns, filteredNodes, Graph } from "@clew/graph";
import { readNodeDetail } from "../store/queries/graph-reading.ts";
import { readRows } from "../store/queries/rows.ts";
import { apiError, changed, createWorkspace, type Intercept, type Json, json } from "./testing/workspace.ts";

const files = {
  "first.md": "# First\n",
  "second.md": "# Second\n",
  "third.md": "# Third\n",
  "tasks/_database.yml": "properties:\n  Total: { type: number }\n",
  "tasks/one.md": "---\nTotal: 1\n---\n# One\n",
};

const ada = { object: "user", id: "00000000-0000-4000-8000-0000000000ad" };
const guest = { object: "user", id: "00000000-0000-4000-8000-0000000000ff" };
const users = {
  object: "list",
  results: [{ ...ada, type: "person", name: "Ada Lovelace" }],
  has_more: false,
};

const titleOf = ({ properties }: Json): string =>
  Object.values<Json>(properties).find(({ type }) => type === "title")?.title[0]?.plain_text;

/** The facts that the provider gives of some pages, by their titles. */
const facts: Readonly<Record<string, (page: Json) => Json>> = {
  First: (page) => ({ ...page, created_by: ada, last_edited_by: guest, is_archived: true }),
  Second: (page) => ({
    ...page,
    created_by: guest,
    last_edited_by: ada,
    properties: {
      ...page.properties,
      Verified: {
        id: "v",
        type: "verification",
        verification: {
          state: "verified",
          verified_by: ada,
          date: { start: "2026-01-01", end: "2026-04-01", time_zone: null },
        },
      },
    },
  }),
  One: (page) => ({
    ...page,
    properties: {
      ...page.properties,
      Total: { id: "t", type: "formula", formula: { type: "unsupported", unsupported: {} } },
    },
  }),
};

const withFacts =
  (listUsers: () => ReturnType<typeof json> = () => json(users)): Intercept =>
  async ({ path }, pass) => {
    if (path === "/v1/users") return listUsers();
    if (!/\/(?:search|query)$/.test(path)) return pass();
    return changed(await pass(), (body) => ({
      ...body,
      results: body.results.map((node: Json) =>
        node.object === "page" ? (facts[titleOf(node)] ?? ((page) => page))(node) : node,
      ),
    }));
  };

async function setUp(t: TestContext, by: Intercept = withFacts()) {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(by);
  const { sync } = await workspace.run(id);
  const graphNow = () => workspace.database.graphRows(id, (rows) => new Graph(buildColumns(rows)));
  const found = async (filter: Parameters<typeof filteredNodes>[1]) => {
    const graph = await graphNow();
    const titles: string[] = [];
    filteredNodes(graph, filter)?.each((node) => titles.push(graph.nodeAt(node).title));
    return titles.sort();
  };
  return { workspace, id, sync, graphNow, found };
}

test("SRC-5: nodes have their author and their last editor, whom `by` finds by id, name or words of it", async (t) => {
  const { workspace, id, graphNow, found } = await setUp(t);
  const graph = await graphNow();
  const { id: first } = await workspace.node(id, "First");
  const node = graph.node(first);
  assert.deepEqual(node?.createdBy, { id: ada.id, name: "Ada Lovelace" });
  assert.deepEqual(node?.editedBy, { id: guest.id, name: null }, "the provider does not list guests");
  for (const by of [ada.id, "ada lovelace", "ÁDA", "lovelace, Ada"])
    assert.deepEqual(await found({ by }), ["First", "Second"], by);
  assert.deepEqual(await found({ by: "ad" }), []);
  assert.deepEqual(await found({ by: guest.id }), ["First", "Second"]);
});

test("SRC-5: the names of authors are asked for once, and again by a full sync", async (t) => {
  const { workspace, id, graphNow } = await setUp(t);
  const asked = () => workspace.calls.filter(({ path }) => path === "/v1/users").length;
  assert.equal(asked(), 1);
  await workspace.run(id);
  assert.equal(asked(), 1);
  workspace.intercept(
    withFacts(() => json({ ...users, results: [{ ...ada, type: "person", name: "Countess" }] })),
  );
  await workspace.sync.request(id, { full: true });
  await workspace.end(id);
  assert.equal(asked(), 2);
  const graph = await graphNow();
  assert.equal(graph.authorName(ada.id), "Countess");
});

test("SRC-5: a grant that may not see people leaves authors without names, and the sync complete", async (t) => {
  const { sync, graphNow } = await setUp(
    t,
    withFacts(() => apiError(403, "restricted_resource")),
  );
  const graph = await graphNow();
  assert.equal(graph.authorName(ada.id), null);
  assert.equal(sync.outcome, "complete");
});

test("SRC-5: a guest, whom the provider does not list, is looked up once", async (t) => {
  let lookups = 0;
  const { workspace, id, graphNow } = await setUp(t, async (call, pass) => {
    if (call.path !== `/v1/users/${guest.id}`) return withFacts()(call, pass);
    lookups += 1;
    return json({ ...guest, type: "person", name: "Grace Hopper" });
  });
  assert.equal((await graphNow()).authorName(guest.id), "Grace Hopper");
  await workspace.run(id);
  assert.equal(lookups, 1);
});

test("SRC-5: a lookup that fails leaves a guest without a name, and the sync complete", async (t) => {
  for (const status of [403, 400] as const) {
    const code = status === 403 ? "restricted_resource" : "validation_error";
    const { sync, graphNow } = await setUp(t, async (call, pass) =>
      call.path === `/v1/users/${guest.id}` ? apiError(status, code) : withFacts()(call, pass),
    );
    const graph = await graphNow();
    assert.deepEqual([graph.authorName(ada.id), graph.authorName(guest.id)], ["Ada Lovelace", null]);
    assert.equal(sync.outcome, "complete");
  }
});

test("SRC-6: archived and verified pages can be listed, and a verification says by whom and until when", async (t) => {
  const { workspace, id, found } = await setUp(t);
  assert.deepEqual(await found({ is: ["archived"] }), ["First"]);
  assert.deepEqual(await found({ is: ["verified"] }), ["Second"]);
  assert.deepEqual(await found({ is: ["expired"] }), []);
  const { id: second } = await workspace.node(id, "Second");
  const detail = await readNodeDetail(workspace.database.read, id, second);
  const by = { id: ada.id, name: null };
  assert.deepEqual(detail?.verification, { state: "verified", by, since: "2026-01-01", until: "2026-04-01" });
});

test("SRC-6: a value that the provider cannot give is marked as not read", async (t) => {
  const { workspace, id } = await setUp(t);
  const { id: one } = await workspace.node(id, "One");
  const detail = await readNodeDetail(workspace.database.read, id, one);
  assert.deepEqual([detail?.properties.Total, detail?.unread], [null, ["Total"]]);
  const rows = await readRows(workspace.database.read, id, [one]);
  assert.deepEqual(rows.get(one)?.unread, ["Total"]);
});
