import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { syncReportsOf } from "../store/queries/sync-reports.ts";
import { dated, isSearch, isText, textsAsked, titleOf } from "./testing/calls.ts";
import { apiError, changed, createWorkspace, type Intercept, type Json, json } from "./testing/workspace.ts";

const filesAt = (updated: string) => ({
  "start.md": dated("# Start\n", updated),
  "guides/index.md": dated("# Guides\n", updated),
  "guides/first.md": dated("# First\n", updated),
  "tasks/_database.yml": `title: Tasks\nproperties:\n  Count: { type: number }\n  Blocks: { type: relation, database: . }\n`,
  "tasks/index.md": dated("", updated),
  "tasks/one.md": dated("# One\n", updated, "Count: 7\nBlocks: [./two.md]\n"),
  "tasks/two.md": dated("# Two\n", updated, "Count: 8\n"),
});

/** Changes every page and database of every answer. */
const nodes =
  (change: (node: Json) => unknown): Intercept =>
  async (call, pass) => {
    const answer = await pass();
    const isNode = ({ object }: Json) => ["page", "database", "data_source"].includes(object);
    if (!/\/(?:search|query)$|\/(?:pages|databases|data_sources)\/[^/]+$/.test(call.path)) return answer;
    return changed(answer, (body) => {
      if (isNode(body)) return change(body);
      return body.results === undefined ? body : { ...body, results: body.results.map(change) };
    });
  };

async function setUp(
  t: TestContext,
  files: Readonly<Record<string, string>> = filesAt("2026-01-01T00:00:00Z"),
) {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const run = async (by: Intercept | null, full = false) => {
    workspace.intercept(by);
    await workspace.sync.request(id, { full });
    await workspace.end(id);
    const [report] = await syncReportsOf(workspace.database.read, id);
    assert.ok(report);
    return report;
  };
  const edit = () => workspace.write(filesAt("2026-02-01T00:00:00Z"));
  return { workspace, id, run, edit };
}

const newTypes = nodes((node) =>
  node.object === "page" && node.properties.Count !== undefined
    ? {
        ...node,
        mood: "new",
        properties: {
          ...node.properties,
          Count: { id: "c", type: "hologram", hologram: {} },
          Blocks: { id: "b", type: "entanglement", entanglement: [] },
        },
      }
    : node,
);

test("SYNC-5: new property types are counted, and earlier values are kept", async (t) => {
  const { workspace, id, run, edit } = await setUp(t);
  await run(null);
  const before = await workspace.edges(id);
  for (const full of [false, true]) {
    await edit();
    const { outcome, unsupported } = await run(newTypes, full);
    assert.equal(outcome, "complete");
    assert.deepEqual(unsupported, [
      { kind: "property", type: "entanglement", count: 2 },
      { kind: "property", type: "hologram", count: 2 },
    ]);
    assert.equal((await workspace.node(id, "One")).properties.Count, 7);
    assert.deepEqual(await workspace.edges(id), before);
  }
});

test("SYNC-5: a page that was not edited keeps the value of its one property of a new type", async (t) => {
  const { workspace, id, run } = await setUp(t);
  await run(null);
  const isNew = nodes((node) =>
    node.object === "page" && node.properties.Count !== undefined
      ? { ...node, properties: { ...node.properties, Count: { id: "c", type: "hologram", hologram: {} } } }
      : node,
  );
  for (const full of [false, true]) {
    assert.equal((await run(isNew, full)).outcome, "complete");
    assert.equal((await workspace.node(id, "One")).properties.Count, 7);
  }
});

test("SYNC-5: property types that were always unsupported leave a sync complete, with empty values", async (t) => {
  const { workspace, id, run } = await setUp(t);
  assert.equal((await run(newTypes)).outcome, "complete");
  assert.equal((await workspace.node(id, "One")).properties.Count, null);
  await run(null, true);
  assert.equal((await workspace.node(id, "One")).properties.Count, 7);
});

test("SYNC-5: a text property of a new type keeps its link, beside a relation that can be read", async (t) => {
  const files = {
    ...filesAt("2026-01-01T00:00:00Z"),
    "tasks/_database.yml":
      "title: Tasks\nproperties:\n  Note: { type: rich_text }\n  Blocks: { type: relation, database: . }\n",
    "tasks/one.md": dated(
      "# One\n",
      "2026-01-01T00:00:00Z",
      'Note: "See [it](../start.md)."\nBlocks: [./two.md]\n',
    ),
  };
  const { workspace, id, run } = await setUp(t, files);
  await run(null);
  const before = await workspace.edges(id);
  assert.ok(
    before.some((edge) => edge.includes("One") && edge.includes("Start")),
    before.join("; "),
  );
  const isNew = nodes((node) =>
    node.properties?.Note === undefined || node.object !== "page"
      ? node
      : { ...node, properties: { ...node.properties, Note: { id: "n", type: "hologram", hologram: {} } } },
  );
  await run(isNew, true);
  assert.deepEqual(await workspace.edges(id), before);
});

/** Gives every page and database this parent. */
const parents = (parent: Json) =>
  nodes((node) => ({
    ...node,
    parent: node.object === "data_source" ? node.parent : parent,
    database_parent: parent,
  }));

const newParents = parents({ type: "team_id", team_id: "x" });

test("SYNC-5: a page whose parent is of a new type keeps its stored parent", async (t) => {
  const { workspace, id, run, edit } = await setUp(t);
  await run(null);
  const before = await workspace.edges(id);
  for (const full of [false, true]) {
    await edit();
    const { outcome, unsupported, unanswered } = await run(newParents, full);
    assert.deepEqual(unanswered, []);
    assert.equal(outcome, "complete");
    assert.deepEqual(unsupported, [{ kind: "parent", type: "team_id", count: 6 }]);
    assert.deepEqual(await workspace.edges(id), before);
  }
});

test("SYNC-5: a new page whose parent is of a new type leaves syncs incomplete", async (t) => {
  const { workspace, id, run } = await setUp(t);
  for (const full of [false, false, true]) {
    const { outcome, unanswered, orphans } = await run(newParents, full);
    assert.equal(outcome, "incomplete");
    assert.match(unanswered[0] ?? "", /failed to place .*: a parent of the type team_id is not supported/);
    assert.ok(orphans >= 5);
    assert.ok(workspace.logged.some((line) => JSON.parse(line).err?.code === "malformed"));
    assert.equal((await workspace.node(id, "First")).parentId, null);
  }
  assert.equal((await run(null)).outcome, "complete");
  assert.equal((await workspace.node(id, "First")).parentId, (await workspace.node(id, "Guides")).id);
  assert.equal((await run(newParents, true)).outcome, "complete");
});

test("SYNC-5: the text that shows a page which cannot be placed is read again by each sync until it can be", async (t) => {
  const { workspace, id, run } = await setUp(t);
  const firstOfNewType = nodes((node) =>
    titleOf(node) === "First" ? { ...node, parent: { type: "team_id", team_id: "x" } } : node,
  );
  await run(firstOfNewType);
  const [first, guides] = [await workspace.node(id, "First"), await workspace.node(id, "Guides")];
  for (const [by, outcome, expected] of [
    [firstOfNewType, "incomplete", [first.id, guides.id]],
    [null, "complete", [first.id, guides.id]],
    [null, "complete", []],
  ] as const) {
    workspace.calls.length = 0;
    assert.equal((await run(by)).outcome, outcome);
    assert.deepEqual(new Set(textsAsked(workspace)), new Set(expected));
  }
  assert.equal((await workspace.node(id, "First")).parentId, guides.id);
});

test("SYNC-13: a page below an agent is placed at the root and counted, and the sync is complete", async (t) => {
  const { workspace, id, run, edit } = await setUp(t);
  const agent = parents({ type: "agent_id", agent_id: "a0000000-0000-4000-8000-000000000000" });
  const assertPlaced = async (by: Intercept, full: boolean) => {
    const { outcome, unanswered, unsupported } = await run(by, full);
    assert.deepEqual({ outcome, unanswered }, { outcome: "complete", unanswered: [] });
    assert.deepEqual(unsupported, [{ kind: "parent", type: "agent_id", count: 6 }]);
    assert.equal((await workspace.node(id, "First")).parentId, null);
  };
  await assertPlaced(agent, false);
  await assertPlaced(agent, true);
  await run(null, true);
  assert.equal((await workspace.node(id, "First")).parentId, (await workspace.node(id, "Guides")).id);
  await edit();
  await assertPlaced(agent, false);
});

const block = "b0000000-0000-4000-8000-000000000000";

/** Puts the page First into a block with this parent. */
function inBlockBelow(parent: Json): Intercept {
  const below = nodes((node) =>
    node.object === "page" && node.properties.title?.title[0]?.plain_text === "First"
      ? { ...node, parent: { type: "block_id", block_id: block } }
      : node,
  );
  return async (call, pass) =>
    call.path === `/v1/blocks/${block}` ? json({ object: "block", id: block, parent }) : below(call, pass);
}

test("SYNC-5: a page in a block whose parent is of a new type stays where it was, or leaves the sync incomplete", async (t) => {
  const { workspace, id, run } = await setUp(t);
  const ofNewType = inBlockBelow({ type: "team_id", team_id: block });
  const { outcome, unanswered, unsupported } = await run(ofNewType);
  assert.equal(outcome, "incomplete");
  assert.match(
    unanswered.join(),
    /find the page that holds block .*: a parent of the type team_id is not supported/,
  );
  assert.deepEqual(unsupported, [{ kind: "parent", type: "team_id", count: 1 }]);
  const guides = await workspace.node(id, "Guides");
  await run(inBlockBelow({ type: "page_id", page_id: guides.id }), true);
  assert.equal((await workspace.node(id, "First")).parentId, guides.id);
  assert.equal((await run(ofNewType, true)).outcome, "complete");
  assert.equal((await workspace.node(id, "First")).parentId, guides.id);
});

test("SYNC-13: a page in a block below an agent is placed at the root, and the sync is complete", async (t) => {
  const { workspace, id, run } = await setUp(t);
  const { outcome, unsupported } = await run(inBlockBelow({ type: "agent_id", agent_id: block }));
  assert.equal(outcome, "complete");
  assert.deepEqual(unsupported, [{ kind: "parent", type: "agent_id", count: 1 }]);
  assert.equal((await workspace.node(id, "First")).parentId, null);
});

test("SYNC-5: new object types are counted, in the search and among rows", async (t) => {
  const { run } = await setUp(t);
  const canvas = { object: "canvas", id: "x" };
  const { outcome, unsupported } = await run(async (call, pass) => {
    if (!isSearch(call) && !call.path.endsWith("/query")) return pass();
    return changed(await pass(), (list) => ({ ...list, results: [canvas, ...list.results, canvas] }));
  });
  assert.equal(outcome, "complete");
  assert.deepEqual(unsupported, [{ kind: "object", type: "canvas", count: 4 }]);
});

test("SYNC-5: blocks that the provider cannot show are counted, and so are parts that are not shared", async (t) => {
  const { workspace, id, run } = await setUp(t);
  const block = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const { outcome, unsupported, notShared } = await run(async (call, pass) => {
    if (call.path === `/v1/blocks/${block(1)}`) return apiError(400, "validation_error");
    if (call.path.startsWith("/v1/blocks/")) return apiError(404, "object_not_found");
    if (!isText(call)) return pass();
    return changed(await pass(), (text) => {
      const page = text.id.replaceAll("-", "");
      const unknown = (number: number, alt: string) =>
        `<unknown url='https://www.notion.so/${page}#${block(number).replaceAll("-", "")}' alt='${alt}'/>`;
      return text.markdown.includes("Words")
        ? text
        : {
            ...text,
            markdown: [unknown(1, "odd"), unknown(2, "bookmark"), unknown(3, "ai_block")].join("\n"),
          };
    });
  });
  assert.equal(outcome, "complete");
  assert.deepEqual(unsupported, [
    { kind: "block", type: "ai_block", count: 5 },
    { kind: "block", type: "odd", count: 5 },
  ]);
  assert.equal(notShared, 5);
  assert.match((await workspace.node(id, "Start")).markdown ?? "", /<unknown/);
});
