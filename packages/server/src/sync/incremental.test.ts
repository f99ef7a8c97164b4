import assert from "node:assert/strict";
import { test } from "node:test";
import { findLookedAt } from "../store/queries/looks.ts";
import { refuseUpdates } from "../store/testing/refuse-writes.ts";
import type { EndedSync } from "./steps/open-context.ts";
import { dated, isSearch, titleOf, unshared, without } from "./testing/calls.ts";
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

test("SYNC-11: a reading of edits that finds nothing writes no row of a page, its links, its text or its database", async (t) => {
  const ended: EndedSync[] = [];
  const workspace = await createWorkspace(t, files, { onEnded: (sync) => void ended.push(sync) });
  // Soon after the minute in which pages were edited has begun: the next reading lists them again.
  workspace.pass(65_000 - (workspace.clock() % 60_000));
  const now = new Date(workspace.clock() - 5_000).toISOString();
  for (const path of ["start.md", "guide/index.md", "guide/first.md"] as const)
    await workspace.write({ [path]: files[path].replace("2026-01-01T00:00:00Z", now) });
  const { id } = await workspace.connect();
  await workspace.run(id);
  const readEdits = async () => {
    workspace.calls.length = 0;
    await workspace.sync.request(id, { by: "look", only: "edits" });
    await workspace.end(id);
    return ended.at(-1);
  };
  for (const table of ["nodes", "node_references", "contents", "data_sources"] as const)
    await refuseUpdates(workspace.database, table);
  assert.deepEqual(await readEdits(), { kind: "edits", outcome: "complete" });
  assert.ok(workspace.calls.every(isSearch), JSON.stringify(workspace.calls));
  await workspace.write({ "start.md": dated("# Begin\n", now) });
  assert.deepEqual(await readEdits(), { kind: "edits", outcome: "failed" }, "a write is refused");
});

test("SYNC-11: edits are known until the first answer of a listing, not its last", async (t) => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`p${n}.md`, dated(`# P${n}\n`)]));
  const workspace = await createWorkspace(t, many);
  const { id } = await workspace.connect();
  const begunAt = workspace.clock();
  let searches = 0;
  workspace.intercept(async (call, pass) => {
    if (isSearch(call)) searches += 1;
    if (isSearch(call) && searches > 1) workspace.pass(10 * 60_000);
    return pass();
  });
  await workspace.run(id);
  assert.ok(searches > 1);
  const known = (await findLookedAt(workspace.database.read, id))?.knownUntil ?? 0;
  assert.ok(known > 0 && known <= begunAt + 1_000, `${known - begunAt} ms after it began`);
});

test("SYNC-3: an edited page costs one call for its text; its unresolved references are not looked up again", async (t) => {
  const { workspace, id } = await synced(t);
  const again = files["start.md"].replace("2026-01-01", "2026-01-02").replace("nowhere", "still nowhere");
  await workspace.write({ "start.md": again });
  assert.deepEqual(await callsOf(workspace, id), [...unchanged, "/v1/pages/:id/markdown"]);
  assert.match((await workspace.node(id, "Start")).markdown ?? "", /still nowhere/);
});

test("SYNC-3: of an edited page what it names anew is looked up, and by a full sync all that it names", async (t) => {
  const [one, other] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const start = (day: number, text: string) => ({
    "start.md": dated(`# Start\n\n${text}\n`, `2026-01-0${day}T00:00:00Z`),
  });
  const workspace = await createWorkspace(t, {
    ...start(1, "See [[One]]."),
    "one.md": dated("# One\n", undefined, `id: ${one}\n`),
    "other.md": dated("# Other\n", undefined, `id: ${other}\n`),
  });
  const { id } = await workspace.connect();
  const lookUps = async (wish: { full?: boolean } = {}) => {
    workspace.calls.length = 0;
    await workspace.sync.request(id, wish);
    await workspace.end(id);
    return workspace.calls.map(({ path }) => path).filter((path) => /^\/v1\/pages\/[^/]+$/.test(path));
  };
  workspace.intercept(unshared("One", "Other"));
  assert.deepEqual(await lookUps(), [`/v1/pages/${one}`]);
  await workspace.write(start(2, "See [[One]] and [[Other]]."));
  assert.deepEqual(await lookUps(), [`/v1/pages/${other}`]);
  await workspace.write(start(3, "See [[One]], and [[Other]]."));
  assert.deepEqual(await lookUps(), []);
  workspace.intercept(without("One", "Other"));
  await workspace.write(start(4, "See [[One]] and [[Other]]."));
  assert.deepEqual(await lookUps({ full: true }), [`/v1/pages/${one}`, `/v1/pages/${other}`]);
  assert.deepEqual(await workspace.titles(id), ["One", "Other", "Start"]);
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

test("SYNC-7: what is listed below a page that is gone is at the root, and is not asked for", async (t) => {
  const { workspace, id } = await synced(t);
  workspace.intercept(unshared("Guide"));
  assert.deepEqual(await callsOf(workspace, id), [...unchanged, "/v1/pages/:id"]);
  assert.ok(!(await workspace.titles(id)).includes("Guide"));
  assert.equal((await workspace.node(id, "First")).parentId, null);
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
