import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOfDatabase } from "../store/queries/containers.ts";
import { changed, createWorkspace, type Json } from "./testing/workspace.ts";

const files = {
  "tasks/_database.yml":
    "title: Tasks\nproperties:\n  State: { type: status, options: [To do, Done] }\n  Effort: number\n",
  "tasks/one.md": "---\nState: Done\nEffort: 3\n---\nText\n",
  "start.md": "A page\n",
};

const columns = [
  { name: "Name", type: "title", options: [] },
  { name: "State", type: "status", options: ["To do", "Done"] },
  { name: "Effort", type: "number", options: [] },
];

async function setUp(t: Parameters<typeof createWorkspace>[0]) {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const retrievals = () =>
    workspace.calls.filter(({ method, path }) => method === "GET" && path.startsWith("/v1/data_sources/"))
      .length;
  const run = async (wish: { full?: boolean } = {}) => {
    workspace.calls.length = 0;
    workspace.pass(3_600_000);
    await workspace.sync.request(id, wish);
    assert.equal((await workspace.end(id)).sync.outcome, "complete");
  };
  const stored = async () => {
    const { id: databaseId } = await workspace.node(id, "Tasks");
    return columnsOfDatabase(workspace.database.read, id, databaseId);
  };
  return { workspace, id, run, stored, retrievals };
}

test("GRAPH-23: a sync stores the columns of a database as search lists them, without a call of their own", async (t) => {
  const { workspace, run, stored, retrievals } = await setUp(t);
  await run();
  assert.deepEqual(await stored(), columns);
  await workspace.write({ "tasks/_database.yml": "title: Tasks\nproperties:\n  Effort: number\n" });
  await run();
  assert.deepEqual(await stored(), [columns[0], columns[2]]);
  assert.equal(retrievals(), 0);
});

test("GRAPH-23: columns that search does not list are retrieved once, and again by a full sync", async (t) => {
  const { workspace, run, stored, retrievals } = await setUp(t);
  workspace.intercept(async (call, pass) => {
    const answer = await pass();
    if (call.path !== "/v1/search") return answer;
    return changed(answer, (list) => ({
      ...list,
      results: list.results.filter(({ object }: Json) => object === "page"),
    }));
  });
  await run();
  assert.deepEqual(await stored(), columns);
  assert.equal(retrievals(), 1);
  await run();
  assert.equal(retrievals(), 0);
  await run({ full: true });
  assert.equal(retrievals(), 1);
});

test("SRC-6: the description of a database is its text, and that of a column is in its schema", async (t) => {
  const { workspace, id, run, stored } = await setUp(t);
  await workspace.write({ "tasks/index.md": "Everything about zebrafish\n" });
  let described = "In days";
  workspace.intercept(async (call, pass) => {
    const answer = await pass();
    if (call.path !== "/v1/search") return answer;
    return changed(answer, (list) => ({
      ...list,
      results: list.results.map((node: Json) =>
        node.object === "page"
          ? node
          : { ...node, properties: { Effort: { ...node.properties.Effort, description: described } } },
      ),
    }));
  });
  const text = async () => {
    const { markdown, contentState } = await workspace.node(id, "Tasks");
    return [markdown, contentState];
  };
  await run();
  assert.deepEqual(await text(), ["Everything about zebrafish", "ready"]);
  assert.deepEqual(await stored(), [{ name: "Effort", type: "number", description: "In days", options: [] }]);
  described = "In hours";
  await workspace.write({ "tasks/index.md": "" });
  await run();
  assert.deepEqual(await text(), ["", "empty"]);
  assert.equal((await stored())?.[0]?.description, "In hours");
});
