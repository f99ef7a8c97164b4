import assert from "node:assert/strict";
import { test } from "node:test";
import { buildColumns, Graph } from "@clew/graph";
import { columnsOfDatabase } from "../store/queries/containers.ts";
import { isSearch } from "./testing/calls.ts";
import { apiError, changed, createWorkspace, type Json, json } from "./testing/workspace.ts";

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

test("SYNC-5, GRAPH-23: columns that could not be retrieved stay as they were, and the next sync retrieves them", async (t) => {
  const { workspace, id, stored, retrievals } = await setUp(t);
  let mayRetrieve = true;
  workspace.intercept(async (call, pass) => {
    if (call.path === "/v1/search")
      return changed(await pass(), (list) => ({
        ...list,
        results: list.results.filter(({ object }: Json) => object === "page"),
      }));
    const isRetrieval = call.method === "GET" && call.path.startsWith("/v1/data_sources/");
    return isRetrieval && !mayRetrieve ? apiError(400, "validation_error") : pass();
  });
  const outcome = async (full: boolean) => {
    workspace.calls.length = 0;
    workspace.pass(3_600_000);
    await workspace.sync.request(id, { full });
    return (await workspace.end(id)).sync.outcome;
  };
  assert.equal(await outcome(true), "complete");
  mayRetrieve = false;
  await workspace.write({ "tasks/_database.yml": "title: Tasks\nproperties:\n  Effort: number\n" });
  for (const full of [true, false]) {
    assert.equal(await outcome(full), "incomplete", `full: ${full}`);
    assert.equal(retrievals(), 1);
    assert.deepEqual(await stored(), columns);
  }
  mayRetrieve = true;
  assert.equal(await outcome(false), "complete");
  assert.equal(retrievals(), 1);
  assert.deepEqual(await stored(), [columns[0], columns[2]]);
  assert.equal(await outcome(false), "complete");
  assert.equal(retrievals(), 0);
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

const richText = (text: string) => (text === "" ? [] : [{ type: "text", text: {}, plain_text: text }]);
const ada = "00000000-0000-4000-8000-0000000000ad";

/** Search lists the data source with these facts. The database has a description, and another data source if `other` is given. */
async function described(
  t: Parameters<typeof createWorkspace>[0],
  {
    title,
    description,
    other,
    isListed = true,
  }: { title: string; description: string; other?: string; isListed?: boolean },
) {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async (call, pass) => {
    if (other !== undefined && call.path === `/v1/data_sources/${other}/query`)
      return json({ results: [], has_more: false });
    if (call.path.startsWith("/v1/databases/"))
      return changed(await pass(), (database) => ({
        ...database,
        description: richText("Of the database"),
        data_sources: [
          ...database.data_sources,
          ...(other === undefined ? [] : [{ id: other, name: "Other" }]),
        ],
      }));
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.flatMap((node: Json) => {
        if (node.object !== "data_source") return [node];
        const facts = { title: richText(title), description: richText(description) };
        const source = { ...node, ...facts, created_by: { object: "user", id: ada } };
        return other === undefined || !isListed ? [source] : [source, { ...source, id: other }];
      }),
    }));
  });
  await workspace.run(id);
  const { id: databaseId, markdown } = await workspace.node(id, "Tasks");
  const graph = await workspace.database.graphRows(id, (rows) => new Graph(buildColumns(rows)));
  return [markdown, graph.node(databaseId)?.createdBy?.id];
}

test("SRC-5, SRC-6: a database has the description of its only data source, or else its own", async (t) => {
  assert.deepEqual(await described(t, { title: "", description: "" }), ["Of the database", ada]);
  assert.deepEqual(await described(t, { title: "", description: "Of the source" }), ["Of the source", ada]);
});

test("SRC-5, SRC-6: a database with several data sources has its own description, and the author that they give", async (t) => {
  const other = "00000000-0000-4000-8000-0000000000aa";
  const facts = { description: "Of the source", other };
  for (const title of ["", "A source"])
    assert.deepEqual(await described(t, { ...facts, title }), ["Of the database", ada]);
  const alone = await described(t, { ...facts, title: "", isListed: false });
  assert.deepEqual(alone, ["Of the database", ada], "although search lists one");
});

test("SYNC-5: a database that cannot be retrieved keeps the title that it has, and leaves the sync incomplete", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  let mayRetrieve = true;
  workspace.intercept(async (call, pass) => {
    if (!mayRetrieve && call.path.startsWith("/v1/databases/")) return apiError(400, "validation_error");
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.map((node: Json) => (node.object === "page" ? node : { ...node, title: [] })),
    }));
  });
  await workspace.run(id);
  assert.ok((await workspace.titles(id)).includes("Tasks"));
  mayRetrieve = false;
  workspace.pass(3_600_000);
  await workspace.write({ "tasks/_database.yml": "title: Chores\nproperties:\n  Effort: number\n" });
  const { sync } = await workspace.run(id);
  assert.equal(sync.outcome, "incomplete");
  assert.ok((await workspace.titles(id)).includes("Tasks"));
  mayRetrieve = true;
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
  assert.ok((await workspace.titles(id)).includes("Chores"));
});

test("SYNC-5: a database is retrieved by the next sync if one of its data sources could not be read, although another one was", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const other = "00000000-0000-4000-8000-0000000000aa";
  let title = "Tasks";
  let edited = "2026-01-01T00:00:00.000Z";
  let isReadable = true;
  workspace.intercept(async (call, pass) => {
    if (call.path === `/v1/data_sources/${other}/query`) return json({ results: [], has_more: false });
    if (call.path === `/v1/data_sources/${other}`) return apiError(400, "validation_error");
    if (call.path.startsWith("/v1/databases/"))
      return changed(await pass(), (database) => ({
        ...database,
        title: richText(title),
        data_sources: [...database.data_sources, { id: other, name: "Other" }],
      }));
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.flatMap((node: Json) => {
        if (node.object !== "data_source") return [node];
        const source = { ...node, last_edited_time: "2026-01-01T00:00:00.000Z" };
        const last_edited_time = isReadable ? edited : undefined;
        return [source, { ...source, id: other, last_edited_time }];
      }),
    }));
  });
  const run = async () => {
    workspace.pass(3_600_000);
    workspace.calls.length = 0;
    const { sync } = await workspace.run(id);
    const retrievals = workspace.calls.filter(({ path }) => path.startsWith("/v1/databases/")).length;
    return [sync.outcome, retrievals, (await workspace.titles(id)).includes(title)];
  };
  assert.deepEqual(await run(), ["complete", 1, true]);
  assert.deepEqual(await run(), ["complete", 0, true]);
  title = "Chores";
  edited = new Date(workspace.clock()).toISOString();
  isReadable = false;
  assert.deepEqual(await run(), ["incomplete", 0, false]);
  isReadable = true;
  assert.deepEqual(await run(), ["complete", 1, true]);
  assert.deepEqual(await run(), ["complete", 0, true]);
});
