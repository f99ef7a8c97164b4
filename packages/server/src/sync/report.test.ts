import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { testProvider, writeFolder } from "@clew/folder/testing";
import { syncReportsOf } from "../store/queries/sync-reports.ts";
import { newLocation } from "../store/testing/location.ts";
import { listed, without } from "./testing/calls.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import { openSyncing } from "./testing/syncing.ts";
import { apiError, createWorkspace, type Intercept, type Workspace } from "./testing/workspace.ts";

const files = {
  "start.md": "# Start\n\nTo [nowhere](https://www.notion.so/00000000000040008000000000000001).\n",
  "below/hidden.md": "# Hidden\n",
  "tasks/_database.yml": "title: Tasks\n",
  "tasks/write.md": "# Write\n",
};

async function lastReport({ database }: Workspace, id: number) {
  const [report] = await syncReportsOf(database.read, id);
  assert.ok(report !== undefined);
  return report;
}

test("SYNC-5: a report counts what was found, how, what was fetched, and what is unresolved", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(without("Hidden", "Write"));
  const startedAt = workspace.clock();
  await workspace.run(id);
  assert.deepEqual(await lastReport(workspace, id), {
    kind: "first",
    outcome: "complete",
    startedAt,
    finishedAt: startedAt,
    error: null,
    found: { search: 3, rows: 1, crawl: 1 },
    fetched: 4,
    removed: 0,
    failed: [],
    failedTotal: 0,
    unanswered: [],
    unsupported: [],
    notShared: 0,
    unresolved: 1,
    orphans: 0,
    source: null,
  });
  await workspace.remove("start.md");
  await workspace.run(id);
  const { kind, removed, unresolved } = await lastReport(workspace, id);
  assert.deepEqual({ kind, removed, unresolved }, { kind: "incremental", removed: 1, unresolved: 0 });
});

test("SYNC-5: no sync is complete while a page cannot be read, and the report says why", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  const start = await workspace.node(id, "Start");
  await workspace.write({ "start.md": "---\nupdated: 2031-01-01T00:00:00Z\n---\n# Start\n" });
  workspace.intercept(async ({ path }, pass) =>
    path === `/v1/pages/${start.id}/markdown` ? apiError(400, "validation_error") : pass(),
  );
  for (let times = 0; times < 2; times += 1) {
    await workspace.run(id);
    const { outcome, failed, failedTotal } = await lastReport(workspace, id);
    assert.equal(outcome, "incomplete");
    assert.deepEqual(
      failed.map((page) => [page.id, page.title]),
      [[start.id, "Start"]],
    );
    assert.match(failed[0]?.reason ?? "", /400/);
    assert.equal(failedTotal, 1);
  }
  workspace.intercept(null);
  await workspace.run(id);
  assert.equal((await lastReport(workspace, id)).outcome, "complete");
});

test("SYNC-5: a report says what the provider did not answer: whether a page is gone, or which rows there are", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  const hidden = await workspace.node(id, "Hidden");
  const refuse: Intercept = async ({ path }, pass) =>
    path === `/v1/pages/${hidden.id}` ? apiError(400, "validation_error") : pass();
  const leaveOut = without("Hidden");
  workspace.intercept((call, pass) => leaveOut(call, () => refuse(call, pass)));
  await workspace.run(id);
  const unanswered = async () => (await lastReport(workspace, id)).unanswered.join("\n");
  assert.match(await unanswered(), new RegExp(`^failed to find out whether ${hidden.id} is gone: .*$`));
  workspace.intercept(async ({ path }, pass) =>
    path.endsWith("/query") ? apiError(400, "validation_error") : pass(),
  );
  await workspace.run(id);
  assert.match(await unanswered(), /^failed to list all rows of collection [0-9a-f-]{36}: .*$/);
});

test("GRAPH-1: a connection keeps how its last sync ended, and when its last complete one did", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const ended = async () => {
    workspace.pass(60_000);
    const { sync, lastSyncedAt, completeAsOf } = await workspace.run(id);
    return [sync.outcome, lastSyncedAt, completeAsOf];
  };
  const whole = workspace.clock() + 60_000;
  assert.deepEqual(await ended(), ["complete", whole, whole]);
  workspace.intercept(async ({ path }, pass) =>
    path.endsWith("/query") ? apiError(400, "validation_error") : pass(),
  );
  assert.deepEqual(await ended(), ["incomplete", whole + 60_000, whole]);
  workspace.intercept(async () => apiError(400, "validation_error"));
  assert.deepEqual(await ended(), ["failed", whole + 60_000, whole]);
  workspace.intercept(null);
  const again = workspace.clock() + 60_000;
  assert.deepEqual(await ended(), ["complete", again, again]);
});

test("GRAPH-1: a graph is complete as of when its sync began to list, also if that was interrupted", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const begun = workspace.clock();
  // Each call takes a second.
  workspace.intercept(async (_, pass) => {
    workspace.pass(1000);
    return pass();
  });
  const first = await workspace.run(id);
  assert.equal(first.completeAsOf, begun);
  assert.equal(first.lastSyncedAt, workspace.clock());
  assert.ok(workspace.clock() > begun);

  workspace.pass(60_000);
  const begunAgain = workspace.clock();
  const held = Promise.withResolvers<void>();
  workspace.intercept(async ({ path }, pass) => {
    if (path === "/v1/search") return pass();
    held.resolve();
    return new Promise<Response>(() => {});
  });
  await workspace.sync.request(id, { full: true });
  await held.promise;
  await workspace.sync.stop();
  workspace.pass(60_000);
  workspace.intercept(null);
  workspace.restart().start();
  const second = await workspace.end(id);
  assert.deepEqual([second.completeAsOf, second.lastSyncedAt], [begunAgain, workspace.clock()]);
});

test("SYNC-5: a failed listing makes the sync incomplete, and the report names it", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async ({ path }, pass) =>
    path.endsWith("/query") ? apiError(400, "validation_error") : pass(),
  );
  await workspace.run(id);
  const { outcome, unanswered } = await lastReport(workspace, id);
  assert.equal(outcome, "incomplete");
  assert.equal(unanswered.length, 1);
  assert.match(unanswered[0] ?? "", /rows .* collection .*400/);
});

test("SYNC-7: rows stay, and the sync is incomplete, if a list that search has just shown is said to be missing", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.intercept(async ({ path }, pass) =>
    path.endsWith("/query") ? apiError(404, "object_not_found") : pass(),
  );
  await workspace.sync.request(id, { full: true });
  await workspace.end(id);
  const { outcome, unanswered } = await lastReport(workspace, id);
  assert.equal(outcome, "incomplete");
  assert.match(unanswered.join(), /rows .* collection .*404/);
  assert.ok((await workspace.titles(id)).includes("Write"));
});

test("SYNC-5: a sync that ends early is reported as failed, with its reason", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  workspace.intercept(async () => apiError(401, "unauthorized"));
  await workspace.run(id);
  const { outcome, error } = await lastReport(workspace, id);
  assert.equal(outcome, "failed");
  assert.match(error ?? "", /Sign in again/);
});

test("SYNC-1: nodes whose parents are not shared are counted as orphans", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const stranger = { type: "page_id", page_id: "00000000-0000-4000-8000-00000000000c" };
  workspace.intercept(
    listed((results) =>
      results.map((page) =>
        page.object === "page" && page.parent.type === "workspace" ? { ...page, parent: stranger } : page,
      ),
    ),
  );
  await workspace.run(id);
  assert.equal((await lastReport(workspace, id)).orphans, 2);
});

/** The first sync of a folder. */
async function syncFolder(t: TestContext, content: Parameters<typeof writeFolder>[1]) {
  const { provider, thread } = testProvider(await writeFolder(t, content));
  const place = await newLocation();
  const syncing = await openSyncing({ location: place.location, provider });
  t.after(async () => {
    await syncing.close();
    await thread.close();
    await place.remove();
  });
  const { id } = await syncing.connectWithToken("a person", "folder notes");
  const { report } = await syncing.run(id, { full: true });
  return { id, report, database: syncing.database };
}

test("SRC-4: the report of a folder names its tool, counts what is not read and names what is left out; pages have their address at the forge", async (t) => {
  const { id, report, database } = await syncFolder(t, {
    ".git/config": '[remote "origin"]\n\turl = git@github.com:owner/vault.git\n',
    ".git/HEAD": "ref: refs/heads/main\n",
    "a.md": "[[b#Usage]]\n",
    "b.md": "# B\n\n## Usage\n",
    "c.canvas": "{}",
    "large.md": new Uint8Array(5 * 1024 * 1024 + 1),
  });
  assert.equal(report.outcome, "complete");
  assert.deepEqual(report.source, {
    dialect: "Obsidian",
    unread: [{ type: ".canvas", count: 1 }],
    named: [{ path: "large.md", message: "not read: the file is larger than 5 MiB" }],
  });
  const { nodes, texts, references } = await storedGraph(database, id);
  assert.deepEqual(
    nodes.map(({ url }) => url).sort(),
    ["a", "b"].map((name) => `https://github.com/owner/vault/blob/main/${name}.md`),
  );
  assert.equal(references.length, 1);
  assert.ok(texts.some(({ markdown }) => markdown.includes('#Usage" alias="true">')));
});

test("SRC-4: a report names at most a hundred files", async (t) => {
  const garbled = new Uint8Array([0xff, 0xfe]);
  const files = Array.from({ length: 101 }, (_, index) => [`p${index}.md`, garbled] as const);
  const { report } = await syncFolder(t, Object.fromEntries(files));
  assert.equal(report.source?.named.length, 100);
});
