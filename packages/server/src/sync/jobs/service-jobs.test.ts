import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { until } from "@clew/stand-in/testing/until";
import type { SyncRequest } from "../../connections/request-sync.ts";
import { findConnection } from "../../store/queries/connections.ts";
import { findJob } from "../../store/queries/jobs.ts";
import type { EndedSync } from "../steps/open-context.ts";
import { isText, titleOf, without } from "../testing/calls.ts";
import {
  apiError,
  type Call,
  changed,
  createWorkspace,
  type Json,
  type Workspace,
} from "../testing/workspace.ts";

const files = { "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n" };
const hour = 60 * 60_000;

/** The kinds of the runs that have begun so far. */
const kinds = ({ logged }: Workspace): string[] =>
  logged.flatMap((line) => /"kind":"(\w+)","msg":"sync started"/.exec(line)?.[1] ?? []);

/** Holds back every call until it is released; resolves when the first is held back. */
function hold(workspace: Workspace, held: (call: Call) => boolean = () => true) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  workspace.intercept(async (call, pass) => {
    if (!held(call)) return pass();
    reached.resolve();
    await released.promise;
    return pass();
  });
  return { reached: reached.promise, release: released.resolve };
}

/** Requests a sync and stops its worker at the first held call; another worker then resumes it. Returns when it had begun. */
async function interrupt(
  workspace: Workspace,
  id: number,
  wish: SyncRequest,
  held?: (call: Call) => boolean,
) {
  const { reached } = hold(workspace, held);
  await workspace.sync.request(id, wish);
  await reached;
  const begun = (await findConnection(workspace.database.read, id))?.sync.startedAt;
  await workspace.sync.stop();
  workspace.intercept(null);
  workspace.pass(1000);
  workspace.restart().start();
  return begun;
}

test("SYNC-3: a first sync reads everything, later ones what changed, and full ones, daily or on request, everything again", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.pass(23 * hour);
  await workspace.run(id);
  workspace.pass(hour);
  await workspace.run(id);
  await workspace.run(id);
  await workspace.sync.request(id, { full: true });
  await workspace.end(id);
  assert.deepEqual(kinds(workspace), ["first", "incremental", "full", "incremental", "full"]);
});

for (const [what, isListing] of [
  ["the search breaks off", ({ path }: Call) => path === "/v1/search"],
  ["the rows of a database are not listed", ({ path }: Call) => path.endsWith("/query")],
] as const)
  test(`SYNC-5: where ${what}, the next sync reads everything again, until one has listed it all`, async (t) => {
    const rows = { "tasks/_database.yml": "title: Tasks\n", "tasks/write.md": "# Write\n" };
    // More than one page of search, so that it can break off after the first.
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`p${n}.md`, `# P${n}\n`]));
    const workspace = await createWorkspace(t, { ...rows, ...many });
    const { id } = await workspace.connect();
    const fail = () => {
      let listings = 0;
      workspace.intercept(async (call, pass) => {
        if (!isListing(call)) return pass();
        listings += 1;
        // The first page of a listing comes; the second never does.
        return call.path === "/v1/search" && listings % 2 === 1 ? pass() : apiError(400, "validation_error");
      });
    };
    fail();
    assert.equal((await workspace.run(id)).sync.outcome, "incomplete");
    assert.equal((await workspace.run(id)).sync.outcome, "incomplete");
    workspace.intercept(null);
    assert.equal((await workspace.run(id)).sync.outcome, "complete");
    await workspace.run(id);
    assert.deepEqual(kinds(workspace), ["first", "full", "full", "incremental"]);

    fail();
    await workspace.sync.request(id, { full: true });
    await workspace.end(id);
    workspace.intercept(null);
    await workspace.sync.request(id, { by: "schedule" });
    await workspace.end(id);
    await workspace.run(id);
    assert.deepEqual(kinds(workspace).slice(4), ["full", "full", "incremental"]);
  });

test("SYNC-5: where a row can neither be read in its list nor looked up, the next sync reads everything again", async (t) => {
  const workspace = await createWorkspace(t, {
    "tasks/_database.yml": "title: Tasks\n",
    "tasks/write.md": "# Write\n",
    "tasks/print.md": "# Print\n",
  });
  const { id } = await workspace.connect();
  const leaveOut = without("Write", "Print");
  workspace.intercept(async (call, pass) => {
    if (call.path.startsWith("/v1/pages/") && !isText(call)) return apiError(400, "validation_error");
    if (!call.path.endsWith("/query")) return leaveOut(call, pass);
    const untimed = (row: Json) => (titleOf(row) === "Write" ? { ...row, last_edited_time: undefined } : row);
    return changed(await pass(), (list) => ({ ...list, results: list.results.map(untimed) }));
  });
  assert.equal((await workspace.run(id)).sync.outcome, "incomplete");
  assert.deepEqual(await workspace.titles(id), ["Print", "Tasks"]);
  workspace.intercept(leaveOut);
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
  assert.deepEqual(await workspace.titles(id), ["Print", "Tasks", "Write"]);
  await workspace.run(id);
  assert.deepEqual(kinds(workspace), ["first", "full", "incremental"]);
});

test("SYNC-6: an interrupted first sync that a look began resumes as what it was", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const begun = await interrupt(workspace, id, { by: "look", only: "edits" }, isText);
  const { sync, completeAsOf } = await workspace.end(id);
  assert.deepEqual(kinds(workspace), ["first", "first"]);
  assert.equal(sync.startedAt, begun);
  assert.equal(completeAsOf, begun);
});

test("SYNC-6: an interrupted full sync resumes as a full one", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.run(id);
  const begun = await interrupt(workspace, id, { full: true });
  const { sync, sweptAt } = await workspace.end(id);
  assert.deepEqual(kinds(workspace), ["first", "full", "full"]);
  assert.equal(sync.startedAt, begun);
  assert.equal(sweptAt, workspace.clock());
});

test("SYNC-1: two minutes after a first sync another one looks for what search did not list yet", async (t) => {
  const workspace = await createWorkspace(t, files, { secondLookAfter: 120_000 });
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.pass(120_000);
  workspace.sync.start();
  await until(async () => (await findConnection(workspace.database.read, id))?.sweptAt === workspace.clock());
  assert.deepEqual(kinds(workspace), ["first", "full"]);
  assert.equal(await findJob(workspace.database.read, id), null);
});

test("SYNC-9: no request is lost while a sync ends", async (t) => {
  const workspace = await createWorkspace(t, { "a.md": "# A\n" });
  const { id } = await workspace.connect();
  await workspace.run(id);
  for (let turns = 0; turns < 25; turns += 1) {
    workspace.pass(1);
    const { length } = workspace.published;
    await workspace.sync.request(id);
    // The last thing that a run does before it is settled.
    while (workspace.published.length === length) await setImmediate();
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    workspace.pass(1);
    const asked = workspace.clock();
    await workspace.sync.request(id, { full: true });
    await workspace.end(id);
    const { sweptAt } = (await findConnection(workspace.database.read, id)) ?? {};
    assert.ok((sweptAt ?? 0) >= asked, `lost after ${turns} turns`);
  }
});

test("SYNC-9: the job of a silent worker is taken over, and its late writes are discarded", async (t) => {
  const ended: EndedSync[] = [];
  const workspace = await createWorkspace(t, files, { onEnded: (sync) => void ended.push(sync) });
  const { id } = await workspace.connect();
  const { reached, release } = hold(workspace, isText);
  await workspace.sync.request(id);
  await reached;
  workspace.intercept(null);

  const other = workspace.restart();
  workspace.pass(14_999);
  other.start();
  await other.request(id);
  assert.equal((await findJob(workspace.database.read, id))?.attempts, 1);
  workspace.pass(1);
  await workspace.run(id, other);
  const after = await findConnection(workspace.database.read, id);
  assert.equal(after?.sync.state, "idle");
  release();
  await until(() => workspace.logged.some((line) => line.includes("sync attempt failed")));
  await workspace.sync.stop();
  assert.deepEqual(await findConnection(workspace.database.read, id), after);
  assert.equal(await findJob(workspace.database.read, id), null);
  assert.deepEqual(
    ended,
    [
      { kind: "first", outcome: "complete" },
      { kind: "incremental", outcome: "complete" },
    ],
    "those of the other worker alone",
  );
  assert.ok(!workspace.logged.some((line) => line.includes('"sync failed"')));
});

test("SYNC-9: a worker that slept past its lease ends jobs that another has taken over", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const { reached } = hold(workspace);
  await workspace.sync.request(id);
  await reached;
  workspace.pass(15_000);
  const next = hold(workspace);
  const other = workspace.restart();
  other.start();
  await next.reached;
  const theirs = await findJob(workspace.database.read, id);
  const calls = workspace.calls.length;

  workspace.sync.start();
  await workspace.sync.abandon(id);
  assert.deepEqual(await findJob(workspace.database.read, id), theirs);
  assert.equal(workspace.calls.length, calls);
  next.release();
  assert.equal((await workspace.end(id)).sync.state, "idle");
});

test("OPS-3: a worker that stops releases its jobs, so that the next one resumes at once", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  const { reached } = hold(workspace);
  await workspace.sync.request(id);
  await reached;
  await workspace.sync.stop();
  const job = await findJob(workspace.database.read, id);
  assert.deepEqual([job?.worker, job?.attempts, job?.dueAt], [null, 0, workspace.clock()]);
});

test("SIGN-11: the jobs of another provider's users wait for that one", async (t) => {
  const workspace = await createWorkspace(t, files);
  const { id } = await workspace.connect();
  await workspace.database.transaction((trx) =>
    trx.updateTable("connections").set({ provider: "other" }).execute(),
  );
  await workspace.sync.request(id);
  await workspace.sync.stop();
  assert.equal((await findJob(workspace.database.read, id))?.attempts, 0);
});
