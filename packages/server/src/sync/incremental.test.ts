import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseUpdates } from "../store/testing/refuse-writes.ts";
import { dated, isSearch, titleOf, without } from "./testing/calls.ts";
import { apiError, changed, createWorkspace, type Json, json, type Workspace } from "./testing/workspace.ts";

const files = {
  "start.md": dated(
    "# Start\n\nTo [the guide](guide/index.md) and [nowhere](https://www.notion.so/00000000000040008000000000000001).\n",
  ),
  "guide/index.md": dated("# Guide\n"),
  "guide/first.md": dated("# First\n\n[[Start]]\n"),
  "tasks/index.md": dated(""),
  "tasks/_database.yml": "title: Tasks\nproperties:\n  Blocks: { type: relation, database: . }\n",
  "tasks/write.md": dated("# Write\n", "2026-01-01T00:00:00Z", "Blocks: [./print.md]\n"),
  "tasks/print.md": dated("# Print\n"),
};

/** The paths of the calls of a sync. */
async function callsOf(workspace: Workspace, id: number): Promise<string[]> {
  workspace.calls.length = 0;
  await workspace.run(id);
  return workspace.calls.map(({ path }) => path.replaceAll(/[0-9a-f-]{36}/g, ":id"));
}

/** A workspace that was synced once. */
async function synced(
  t: Parameters<typeof createWorkspace>[0],
  some: Readonly<Record<string, string>> = files,
) {
  const workspace = await createWorkspace(t, some);
  const { id } = await workspace.connect();
  await workspace.run(id);
  return { workspace, id };
}

const revisionOf = async ({ database }: Workspace, id: number) =>
  (
    await database.read
      .selectFrom("connections")
      .select("revision")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
  ).revision;

const unchanged = ["/v1/search", "/v1/data_sources/:id/query"];

test("SYNC-3: if nothing changed, a sync costs one call for each 100 pages and one for each database", async (t) => {
  const rows = Array.from({ length: 30 }, (_, index) => `row-${index}`);
  const { workspace, id } = await synced(t, {
    ...files,
    "tasks/all.md": dated("# All\n", undefined, `Blocks: [${rows.map((row) => `./${row}.md`).join(", ")}]\n`),
    ...Object.fromEntries(rows.map((row) => [`tasks/${row}.md`, dated(`# ${row}\n`)])),
  });
  const before = await revisionOf(workspace, id);
  assert.deepEqual(await callsOf(workspace, id), unchanged);
  assert.equal(await revisionOf(workspace, id), before);
  assert.equal((await workspace.node(id, "All")).properties.Blocks?.toString().split(",").length, 30);
});

test("SYNC-11: a listing that finds nothing writes no row of a page, its links, its text or its database", async (t) => {
  const { workspace, id } = await synced(t);
  for (const table of ["nodes", "node_references", "contents", "data_sources"] as const)
    await refuseUpdates(workspace.database, table);
  const { sync } = await workspace.run(id);
  assert.equal(sync.outcome, "complete");
  await workspace.write({ "start.md": files["start.md"].replace("# Start", "# Begin") });
  assert.equal((await workspace.run(id)).sync.state, "failed", "a write is refused");
});

test("SYNC-3: an edited page costs one call for its text; its unresolved references are not looked up again", async (t) => {
  const { workspace, id } = await synced(t);
  const again = files["start.md"].replace("2026-01-01", "2026-01-02").replace("nowhere", "still nowhere");
  await workspace.write({ "start.md": again });
  assert.deepEqual(await callsOf(workspace, id), [...unchanged, "/v1/pages/:id/markdown"]);
  assert.match((await workspace.node(id, "Start")).markdown ?? "", /still nowhere/);
});

test("SYNC-3: a full sync reads again what changed without being listed by search", async (t) => {
  const { workspace, id } = await synced(t);
  workspace.intercept(without("First"));
  await workspace.run(id);
  await workspace.write({ "guide/first.md": dated("# First\n\nNew words.\n", "2026-01-02T00:00:00Z") });
  assert.deepEqual(await callsOf(workspace, id), unchanged);
  workspace.calls.length = 0;
  await workspace.sync.request(id, { full: true });
  await workspace.end(id);
  const paths = workspace.calls.map(({ path }) => path.replaceAll(/[0-9a-f-]{36}/g, ":id"));
  assert.deepEqual(paths, [...unchanged, "/v1/pages/:id", "/v1/users", "/v1/pages/:id/markdown"]);
  assert.match((await workspace.node(id, "First")).markdown ?? "", /New words/);
});

test("SYNC-7: a page that search stops listing is looked up once, and then by full syncs only", async (t) => {
  const { workspace, id } = await synced(t);
  workspace.intercept(without("First"));
  assert.deepEqual(await callsOf(workspace, id), [...unchanged, "/v1/pages/:id"]);
  assert.deepEqual(await callsOf(workspace, id), unchanged);
  assert.ok((await workspace.titles(id)).includes("First"));
});

test("SYNC-7: an unanswered lookup keeps its page, and other missing pages are removed", async (t) => {
  const { workspace, id } = await synced(t);
  const first = await workspace.node(id, "First");
  const write = await workspace.node(id, "Write");
  await workspace.remove("guide/first.md");
  await workspace.remove("tasks/write.md");
  workspace.intercept(async ({ path }, pass) =>
    path === `/v1/pages/${first.id}` ? apiError(400, "validation_error") : pass(),
  );
  await workspace.run(id);
  const titles = await workspace.titles(id);
  assert.ok(titles.includes("First"));
  assert.ok(!titles.includes("Write"));
  workspace.intercept(null);
  await workspace.run(id);
  assert.ok(!(await workspace.titles(id)).includes("First"));
  const tombstones = await workspace.database.read.selectFrom("tombstones").selectAll().execute();
  assert.equal(tombstones.length, 2, `of ${first.id} and ${write.id}`);
});

test("SYNC-7: when a database is removed, so are its rows that search did not list", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(without("Write", "Print"));
  await workspace.run(id);
  assert.ok((await workspace.titles(id)).includes("Print"));
  await workspace.remove("tasks");
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["First", "Guide", "Start"]);
});

test("SYNC-7: a row that its list showed without a time is removed by a full sync once it is gone", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const leaveOut = without("Write", "Print");
  workspace.intercept(async (call, pass) => {
    if (!call.path.endsWith("/query")) return leaveOut(call, pass);
    const untimed = (row: Json) => ({ ...row, last_edited_time: undefined });
    return changed(await pass(), (list) => ({ ...list, results: list.results.map(untimed) }));
  });
  await workspace.run(id);
  assert.ok((await workspace.titles(id)).includes("Print"), "it was looked up");
  workspace.intercept(leaveOut);
  await workspace.remove("tasks/print.md");
  await workspace.sync.request(id, { full: true });
  await workspace.end(id);
  const left = await workspace.titles(id);
  assert.deepEqual([left.includes("Print"), left.includes("Write")], [false, true]);
});

test("SYNC-7: a search that breaks off twice removes nothing", async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`p${index}.md`, dated(`# P${index}\n`)]),
  );
  const { workspace, id } = await synced(t, many);
  await workspace.remove("p7.md");
  workspace.intercept(async (call, pass) => {
    if (!isSearch(call)) return pass();
    const list: Json = await (await pass()).json();
    return list.has_more ? json(list) : apiError(400, "validation_error");
  });
  const { sync } = await workspace.run(id);
  assert.equal(sync.state, "idle");
  assert.ok((await workspace.titles(id)).includes("P7"));
  workspace.intercept(null);
  await workspace.run(id);
  assert.ok(!(await workspace.titles(id)).includes("P7"));
});

test("SYNC-7: a page that neither an interrupted search nor the next one lists is looked up and removed", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  let searches = 0;
  workspace.intercept(async (call, pass) => {
    if (!isSearch(call)) return pass();
    searches += 1;
    if (searches % 2 === 0) return apiError(400, "validation_error");
    const guide = (page: Json) => titleOf(page) === "Guide";
    return changed(await pass(), ({ results, ...list }) => ({
      ...list,
      results: results.filter(guide),
      has_more: true,
      next_cursor: "lost",
    }));
  });
  await workspace.run(id);
  assert.ok((await workspace.titles(id)).includes("First"));
  workspace.intercept(null);
  await workspace.remove("guide/first.md");
  await workspace.run(id);
  assert.ok(!(await workspace.titles(id)).includes("First"));
});

test("SYNC-10: a lookup that failed is repeated by the next sync", async (t) => {
  const workspace = await createWorkspace(t, { ...files, "start.md": dated("# Start\n\n[[Guide]]\n") });
  const { id } = await workspace.connect();
  const hide: Parameters<Workspace["intercept"]>[0] = async (call, pass) => {
    if (/^\/v1\/pages\/[^/]+$/.test(call.path)) return apiError(400, "validation_error");
    if (!isSearch(call)) return pass();
    return changed(await pass(), (list) => ({
      ...list,
      results: list.results.filter(
        (page: Json) => titleOf(page) === "Start" || page.object === "data_source",
      ),
    }));
  };
  workspace.intercept(hide);
  await workspace.run(id);
  assert.ok(!(await workspace.titles(id)).includes("Guide"));
  workspace.intercept(without("Guide", "First"));
  await workspace.run(id);
  assert.ok((await workspace.titles(id)).includes("Guide"));
});

test("SYNC-3: pages that only a text leads to are found with their parents, and not asked for again by the next sync", async (t) => {
  const workspace = await createWorkspace(t, {
    "start.md": dated("# Start\n\nSee [[Second]].\n"),
    "guides/index.md": dated("# Guides\n"),
    "guides/deep/index.md": dated("# Deep\n"),
    "guides/deep/second.md": dated("# Second\n"),
  });
  const { id } = await workspace.connect();
  workspace.intercept(without("Guides", "Deep", "Second"));
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["Deep", "Guides", "Second", "Start"]);
  workspace.pass(60 * 60_000);
  assert.deepEqual(await callsOf(workspace, id), ["/v1/search"]);
});
