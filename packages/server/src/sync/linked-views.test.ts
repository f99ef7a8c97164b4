import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { collectionsOf } from "../store/queries/containers.ts";
import { dated, isSearch, textOf, textsAsked } from "./testing/calls.ts";
import { apiError, changed, createWorkspace, type Intercept, type Json } from "./testing/workspace.ts";

const view = "0000000000004000800000000000000d";
const missing = "00000000-0000-4000-8000-00000000000e";

/** A synced workspace with a page that has a database of its own, and another database. The page was edited since. */
async function setUp(t: TestContext) {
  const workspace = await createWorkspace(t, {
    "home/index.md": dated("# Home\n"),
    "home/rows/_database.yml": "title: Own rows\n",
    "home/rows/row.md": dated("# Row\n"),
    "other/_database.yml": "title: Other rows\n",
    "other/row.md": dated("# Other row\n"),
  });
  let { id } = await workspace.connect();
  await workspace.run(id);
  const home = (await workspace.node(id, "Home")).id;
  const sources = await collectionsOf(workspace.database.read, id);
  const sourceOf = async (title: string) => {
    const databaseId = (await workspace.node(id, title)).id;
    return sources.find((source) => source.databaseId === databaseId)?.id ?? "";
  };
  let month = 1;
  const edit = () => {
    workspace.pass(60 * 60_000);
    month += 1;
    return workspace.write({ "home/index.md": dated("# Home\n", `2026-0${month}-01T00:00:00Z`) });
  };
  await edit();
  return {
    workspace,
    home,
    sourceOf,
    edit,
    /** Adds these lines to the text of the page. */
    shows: (...lines: string[]) =>
      textOf(home, async (pass) =>
        changed(await pass(), (text) => ({ ...text, markdown: [text.markdown, ...lines].join("\n") })),
      ),
    async connect() {
      await workspace.database.transaction((trx) => trx.deleteFrom("connections").execute());
      id = (await workspace.connect()).id;
    },
    /** Syncs; resolves with the page's edges, what is unresolved in it, and the calls that name a view or its source. */
    async run(by: Intercept, full = false) {
      workspace.calls.length = 0;
      workspace.intercept(by);
      await workspace.sync.request(id, { full });
      const { sync } = await workspace.end(id);
      assert.equal(sync.outcome, "complete");
      const edges = (await workspace.edges(id)).filter((edge) => edge.startsWith("Home"));
      const { unresolved } = await workspace.node(id, "Home");
      return {
        edges,
        unresolved: unresolved.map(({ type, targetId, name }) => [type, targetId, name]),
        calls: workspace.calls.map(({ path }) => path).filter((path) => /0000000[de]$/.test(path)),
      };
    },
  };
}

const viewOf = (source: string, address = `url="https://www.notion.so/${view}" `) =>
  `<database ${address}inline="true" data-source-url="collection://${source}">View</database>`;

test("GRAPH-4: a linked view mentions the database that it shows, unless that is the page's own", async (t) => {
  const { shows, run, edit, sourceOf } = await setUp(t);
  const [other, own] = [await sourceOf("Other rows"), await sourceOf("Own rows")];
  for (const address of [undefined, ""]) {
    for (const full of [false, true]) {
      assert.deepEqual(await run(shows(viewOf(other, address), viewOf(own, "")), full), {
        edges: ["Home -child-> Own rows", "Home -mention-> Other rows"],
        unresolved: [],
        calls: [],
      });
      await edit();
    }
  }
});

test("GRAPH-4: a linked view of what is not shared is an unresolved mention of its data source", async (t) => {
  const { shows, run, edit } = await setUp(t);
  const expected = { edges: ["Home -child-> Own rows"], unresolved: [["mention", missing, "View"]] };
  const by = shows(viewOf(missing));
  assert.deepEqual(await run(by), { ...expected, calls: [`/v1/data_sources/${missing}`] });
  await edit();
  assert.deepEqual(await run(by), { ...expected, calls: [] });
});

test("SYNC-1: a database that only a linked view names is found by its data source", async (t) => {
  const { shows, run, connect, sourceOf } = await setUp(t);
  const shown = shows(viewOf(await sourceOf("Other rows")));
  await connect();
  const isOther = ({ object, parent, title }: Json) =>
    object === "data_source" ? title[0]?.plain_text === "Other rows" : parent.type === "data_source_id";
  const { edges, unresolved } = await run(async (call, pass) => {
    if (!isSearch(call)) return shown(call, pass);
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.filter((one: Json) => !isOther(one)),
    }));
  });
  assert.deepEqual(edges, ["Home -child-> Own rows", "Home -mention-> Other rows"]);
  assert.deepEqual(unresolved, []);
});

test("SYNC-10: a linked view of a database that was not shared mentions it once it is, without a call for the text", async (t) => {
  const { workspace, home, shows, run, connect, sourceOf } = await setUp(t);
  const source = await sourceOf("Other rows");
  const shown = shows(viewOf(source));
  await connect();
  const isOther = ({ object, title, properties }: Json) =>
    (object === "page" ? properties.Name?.title[0] : title[0])?.plain_text.startsWith("Other row");
  const before = await run(async (call, pass) => {
    if (call.path === `/v1/data_sources/${source}`) return apiError(404, "object_not_found");
    if (!isSearch(call)) return shown(call, pass);
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.filter((one: Json) => !isOther(one)),
    }));
  });
  assert.deepEqual(before.edges, ["Home -child-> Own rows"]);
  assert.deepEqual(before.unresolved, [["mention", source, "View"]]);
  const after = await run(shown);
  assert.deepEqual(after.edges, ["Home -child-> Own rows", "Home -mention-> Other rows"]);
  assert.deepEqual(after.unresolved, []);
  assert.ok(!textsAsked(workspace).includes(home));
});
