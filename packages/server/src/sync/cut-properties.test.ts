import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { syncReportsOf } from "../store/queries/sync-reports.ts";
import { dated, isSearch, isText, titleOf } from "./testing/calls.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import {
  apiError,
  type Call,
  changed,
  createWorkspace,
  type Intercept,
  type Json,
  json,
} from "./testing/workspace.ts";

const rows = Array.from({ length: 28 }, (_, index) => `row-${String(index).padStart(2, "0")}`);
const listOf = (names: readonly string[]) => `[${names.map((name) => `./${name}.md`).join(", ")}]`;

/** More relations than an answer shows. */
const many = rows.slice(0, 27);
const shown = many.slice(0, 25);
const others = rows.slice(1);

const columns = [
  "  Count: { type: number }",
  "  Note: { type: rich_text }",
  "  Memo: { type: rich_text }",
  "  Blocks: { type: relation, database: . }",
  "  Needs: { type: relation, database: . }",
];

/** A database with these columns, and a row that has these properties. */
const filesWith = (properties: string, { updated = "2026-01-01T00:00:00Z", named = columns } = {}) => ({
  "start.md": dated("# Start\n"),
  "guide.md": dated("# Guide\n"),
  "tasks/_database.yml": ["title: Tasks", "properties:", ...named, ""].join("\n"),
  "tasks/index.md": dated(""),
  "tasks/all.md": dated("# All\n", updated, properties),
  ...Object.fromEntries(rows.map((row) => [`tasks/${row}.md`, dated(`# ${row}\n`)])),
});

const propertiesOf = (count: number, blocks: readonly string[]) =>
  [
    `Count: ${count}`,
    'Note: "See [the start](../start.md)."',
    'Memo: "See [the guide](../guide.md)."',
    `Blocks: ${listOf(blocks)}`,
    "",
  ].join("\n");

/** A workspace that was synced once. */
async function synced(t: TestContext, properties: string, named = columns) {
  const workspace = await createWorkspace(t, filesWith(properties, { named }));
  const { id } = await workspace.connect();
  /** Syncs, and resolves with the outcome and the calls but those for texts. */
  const run = async (by: Intercept | null = null) => {
    workspace.calls.length = 0;
    workspace.intercept(by);
    const { sync } = await workspace.run(id);
    return {
      outcome: sync.outcome,
      calls: workspace.calls
        .filter((call) => !isText(call))
        .map(({ path }) => path.replaceAll(/[0-9a-f-]{36}/g, ":id").replace(/(?<=properties\/).*/, ":name")),
    };
  };
  /** Reads what is stored of the row: properties, with the titles of related rows, and references with their counts. */
  const facts = async () => {
    const { nodes, references } = await storedGraph(workspace.database, id);
    const titles = new Map<string, string>(nodes.map((node) => [node.id, node.title]));
    const { id: rowId, properties: stored } = await workspace.node(id, "All");
    const titlesIn = (value: unknown) =>
      Array.isArray(value) ? value.map((target) => titles.get(String(target))) : value;
    const held = references.filter((one) => one.id === rowId && one.source === "properties");
    return {
      properties: Object.fromEntries(
        ["Count", "Note", "Memo", "Blocks", "Needs"].map((name) => [name, titlesIn(stored[name])]),
      ),
      references: held
        .map(({ type, name, to, count }) => `${name ?? type} ${titles.get(to)} ${count}`)
        .sort(),
    };
  };
  assert.equal((await run()).outcome, "complete");
  return {
    workspace,
    id,
    run,
    facts,
    /** The types that the last sync counted as unsupported. */
    unsupported: async () => (await syncReportsOf(workspace.database.read, id))[0]?.unsupported,
    edit: (more: string) => workspace.write(filesWith(more, { updated: "2026-02-01T00:00:00Z" })),
  };
}

/** The references of relations, as `facts` tells them: each counts once. */
const related = (name: string, targets: readonly string[]) => targets.map((target) => `${name} ${target} 1`);
const links = ["link Guide 1", "link Start 1"];

const isPage = ({ path }: Call) => /^\/v1\/pages\/[^/]+$/.test(path);
const isItem = ({ path }: Call) => path.includes("/properties/");

const itemsFail: Intercept = async (call, pass) =>
  isItem(call) ? apiError(400, "validation_error") : pass();

/** Makes a property of the row unreadable. */
const garbled =
  (name: string): Intercept =>
  async (call, pass) => {
    const garble = (page: Json) =>
      titleOf(page) === "All" ? { ...page, properties: { ...page.properties, [name]: null } } : page;
    const answer = await pass();
    if (isSearch(call) || call.path.endsWith("/query"))
      return changed(answer, (list) => ({ ...list, results: list.results.map(garble) }));
    return isPage(call) ? changed(answer, garble) : answer;
  };

const rowsOf = "/v1/data_sources/:id/query";
const lists = ["/v1/search", rowsOf];
const items = "/v1/pages/:id/properties/:name";

test("SYNC-3: a property that the listing cuts short is stored with its rest, and each reference counts once", async (t) => {
  const { facts } = await synced(t, propertiesOf(7, many));
  assert.deepEqual(await facts(), {
    properties: { Count: 7, Note: "See the start.", Memo: "See the guide.", Blocks: many, Needs: [] },
    references: [...related("Blocks", many), ...links],
  });
});

test("SYNC-1: a page that no list shows is found by the rest of a property that the listing cuts short", async (t) => {
  const workspace = await createWorkspace(t, filesWith(propertiesOf(7, many)));
  const { id } = await workspace.connect();
  const last = many.at(-1) ?? "";
  workspace.intercept(async (call, pass) => {
    if (!isSearch(call) && !call.path.endsWith("/query")) return pass();
    const others = (page: Json) => titleOf(page) !== last;
    return changed(await pass(), (list) => ({ ...list, results: list.results.filter(others) }));
  });
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
  assert.ok((await workspace.titles(id)).includes(last));
});

test("SYNC-5: a property that cannot be read to its end keeps its value, others change, and the next sync asks again", async (t) => {
  const { run, facts, edit } = await synced(t, propertiesOf(7, many));
  await edit(propertiesOf(8, others));
  assert.deepEqual(await run(itemsFail), {
    outcome: "incomplete",
    calls: ["/v1/search", items, rowsOf],
  });
  const kept = {
    properties: { Count: 8, Note: "See the start.", Memo: "See the guide.", Blocks: many, Needs: [] },
    references: [...related("Blocks", many), ...links],
  };
  assert.deepEqual(await facts(), kept);
  assert.deepEqual(await run(itemsFail), { outcome: "incomplete", calls: ["/v1/search", items, rowsOf] });
  assert.deepEqual(await facts(), kept);
  assert.deepEqual(await run(), { outcome: "complete", calls: ["/v1/search", items, rowsOf] });
  assert.deepEqual(await facts(), {
    properties: { ...kept.properties, Blocks: others },
    references: [...related("Blocks", others), ...links],
  });
  assert.deepEqual(await run(), { outcome: "complete", calls: lists });
});

test("SYNC-5, SYNC-11: what could not be read is still asked for after edits of other pages were read", async (t) => {
  const { workspace, id, run, facts, edit } = await synced(t, propertiesOf(7, many));
  await edit(propertiesOf(8, others));
  assert.equal((await run(itemsFail)).outcome, "incomplete");
  workspace.calls.length = 0;
  workspace.pass(10 * 60_000);
  await workspace.write({ "start.md": dated("# Begin\n", new Date(workspace.clock()).toISOString()) });
  await workspace.sync.request(id, { by: "look", only: "edits" });
  await workspace.end(id);
  assert.ok((await workspace.titles(id)).includes("Begin"));
  assert.ok(!workspace.calls.some(isItem));
  assert.deepEqual(await run(), { outcome: "complete", calls: ["/v1/search", items, rowsOf] });
  assert.deepEqual((await facts()).properties.Blocks, others);
});

test("SYNC-5: a text property that cannot be read keeps its link, beside those that can be read", async (t) => {
  const { run, facts, edit } = await synced(t, propertiesOf(7, many));
  await edit(propertiesOf(8, others));
  const { outcome, calls } = await run(garbled("Note"));
  assert.deepEqual([outcome, calls], ["incomplete", [...lists, "/v1/pages/:id", items]]);
  assert.deepEqual(await facts(), {
    properties: { Count: 8, Note: "See the start.", Memo: "See the guide.", Blocks: others, Needs: [] },
    references: [...related("Blocks", others), ...links],
  });
});

test("SYNC-5: a new property that cannot be read to its end is stored as it is listed, beside one that keeps its value", async (t) => {
  const { run, facts, edit } = await synced(t, propertiesOf(7, many), columns.slice(0, -1));
  await edit(`${propertiesOf(7, others)}Needs: ${listOf(many)}\n`);
  assert.equal((await run(itemsFail)).outcome, "incomplete");
  const { properties, references } = await facts();
  assert.deepEqual(properties.Blocks, many);
  assert.deepEqual(properties.Needs, shown);
  assert.deepEqual(references, [...related("Blocks", many), ...related("Needs", shown), ...links]);
  assert.equal((await run()).outcome, "complete");
  assert.deepEqual((await facts()).references, [
    ...related("Blocks", others),
    ...related("Needs", many),
    ...links,
  ]);
});

test("SYNC-5: a cut property whose whole is of a new type keeps its value, and the type is counted", async (t) => {
  const { run, facts, unsupported, edit } = await synced(t, propertiesOf(7, many));
  await edit(propertiesOf(8, others));
  const ofNewType = { object: "property_item", id: "b", type: "hologram", hologram: {} };
  const { outcome, calls } = await run(async (call, pass) => (isItem(call) ? json(ofNewType) : pass()));
  assert.deepEqual([outcome, calls], ["complete", ["/v1/search", items, rowsOf]]);
  const { properties } = await facts();
  assert.deepEqual([properties.Count, properties.Blocks], [8, many]);
  assert.deepEqual(await unsupported(), [{ kind: "property", type: "hologram", count: 1 }]);
});

test("SYNC-3: a title of more parts than an answer shows is read to its end", async (t) => {
  const workspace = await createWorkspace(t, { "start.md": dated("# Start\n") });
  const { id } = await workspace.connect();
  const parts = Array.from({ length: 30 }, (_, part) => ({ type: "text", text: {}, plain_text: `${part} ` }));
  workspace.intercept(async (call, pass) => {
    if (call.path.includes("/properties/")) {
      const results = parts.map((title) => ({ object: "property_item", type: "title", title }));
      const property_item = { id: "title", type: "title", title: {} };
      return json({
        object: "list",
        results,
        has_more: false,
        next_cursor: null,
        type: "property_item",
        property_item,
      });
    }
    if (!isSearch(call)) return pass();
    const title = { id: "title", type: "title", title: parts.slice(0, 25) };
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.map((page: Json) => ({ ...page, properties: { ...page.properties, title } })),
    }));
  });
  const whole = Array.from({ length: 30 }, (_, part) => part).join(" ");
  for (const _ of ["first", "again"]) {
    await workspace.run(id);
    assert.deepEqual(await workspace.titles(id), [whole]);
  }
});
