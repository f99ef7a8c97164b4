import assert from "node:assert/strict";
import { test } from "node:test";
import { openReader } from "../../packages/server/src/store/database.ts";
import { startRunning } from "../support/running-clew.ts";
import { signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { stageOf } from "../support/stage.ts";
import { freshStage } from "./stage.ts";

const files = { "a.md": "# Alpha\n\nWords.\n", "b.md": "# Beta\n\nMore words.\n" };

test("GRAPH-15: an edit during a running sync is in after a request, and complete_as_of tells the two syncs apart", async (t) => {
  const { person, agent, workspaceId, write, workspace, synced, holdTexts } = await freshStage(t, files);
  await write({ "a.md": "# Alpha\n\nOther words.\n" });
  const { reached, release } = holdTexts();
  await person.startSync({ id: workspaceId });
  await reached;
  // The running sync has listed everything.
  await write({ "b.md": "# Beta, edited\n\nMore words.\n" });
  const editedAt = Date.now();
  for (let times = 0; times < 3; times += 1) await person.startSync({ id: workspaceId });
  await person.startSync({ id: workspaceId, full: true });
  release();
  const { sync, complete_as_of, last_synced_at } = await synced();
  assert.equal(sync.outcome, "complete");
  const { items } = await agent.searchPages({ q: "Beta, edited" });
  assert.deepEqual(
    items.map(({ node }) => node.title),
    ["Beta, edited"],
  );
  assert.ok(Date.parse(complete_as_of ?? "") >= editedAt, `${complete_as_of}`);
  assert.equal(complete_as_of, sync.started_at);
  assert.equal(last_synced_at, sync.finished_at);
  const { items: reports } = await person.listSyncs({ id: workspaceId });
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ["full", "incremental", "first"],
  );
  assert.ok(
    Date.parse(reports[1]?.started_at ?? "") < editedAt,
    "the earlier sync promises nothing of the edit",
  );
  assert.equal((await workspace()).sync.state, "idle", "four requests made one sync");
});

test("SYNC-1, SYNC-11: a second look follows a first sync, but not with SYNC_INTERVAL=0", async (t) => {
  const stage = await stageOf(t);
  const directory = await writeSmallWorkspace(stage);
  for (const [interval, jobs] of [
    ["1h", 1],
    ["0", 0],
  ] as const) {
    const clew = await startRunning({ directory, env: { SYNC_INTERVAL: interval } });
    stage.defer(() => clew.stop());
    await waitForSync(clew.url, await signIn(clew.url));
    const { read, close } = await openReader(clew.databaseLocation);
    stage.defer(close);
    const queued = await read.selectFrom("sync_jobs").select("due_at").execute();
    assert.equal(queued.length, jobs, `SYNC_INTERVAL=${interval}`);
  }
});
