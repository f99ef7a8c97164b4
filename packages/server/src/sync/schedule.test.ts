import assert from "node:assert/strict";
import { test } from "node:test";
import { everybody, onLists, onlyAt } from "../model/testing/allow-lists.ts";
import { finishSync, setNeedsReauth, setSyncProgress } from "../store/queries/connections.ts";
import { upsertNodes } from "../store/queries/graph-pages.ts";
import { findJob } from "../store/queries/jobs.ts";
import { page, scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { requestDueSyncs, requestSyncsOfMovedPages } from "./schedule.ts";

test("SYNC-9: a connection is due once its interval has passed since the last sync ended", async (t) => {
  const { database } = await scratchDatabase(t);
  const [rested, failed, busy, withdrawn] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ];
  await database.transaction(async (trx) => {
    await finishSync(trx, rested, { startedAt: 1_000, now: 1_000, isComplete: true });
    await setSyncProgress(trx, failed, { state: "failed", finishedAt: 5_000 });
    await setSyncProgress(trx, busy, { state: "running", finishedAt: null });
    await finishSync(trx, withdrawn, { startedAt: 1_000, now: 1_000, isComplete: true });
    await setNeedsReauth(trx, withdrawn, 1_000);
  });
  const asked: number[] = [];
  const sync = { request: async (id: number) => void asked.push(id) };
  const look = (now: number, intervalMs: number, allowed = everybody) => {
    asked.length = 0;
    return requestDueSyncs({ database, allowed, sync, clock: () => now, intervalMs });
  };
  for (const [time, due] of [
    [10_999, []],
    [11_000, [rested]],
    [15_000, [rested, failed]],
  ] as const) {
    await look(time, 10_000);
    assert.deepEqual(asked, due);
  }
  await look(15_000, 0);
  assert.deepEqual(asked, [], "an interval of 0 leaves it to those who ask");
  await look(15_000, 10_000, onlyAt("other"));
  assert.deepEqual(asked, [], "another provider's users are out of reach");
  await look(15_000, 10_000, onLists({ workspaces: ["elsewhere"], emails: ["@b.example"] }));
  assert.deepEqual(asked, [], "who is off the lists is not synced (SIGN-10)");
});

test("SIGN-11: a workspace with a page at an earlier address is synced fully, and all its texts are read again", async (t) => {
  const { database } = await scratchDatabase(t);
  const baseUrl = "https://clew.example/demo/pages/";
  const [moved, here, empty] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ];
  await database.transaction(async (trx) => {
    await upsertNodes(trx, moved, [
      page(1, { url: `${baseUrl}1` }),
      page(2, { url: "http://localhost:8420/demo/pages/2" }),
    ]);
    await upsertNodes(trx, here, [page(1, { url: `${baseUrl}1` })]);
    await trx.updateTable("nodes").set({ content_state: "ready" }).execute();
  });
  const requestAt = (slug: string) =>
    requestSyncsOfMovedPages({ database, clock: () => 1_000 }, { slug, baseUrl });
  const jobs = () => Promise.all([moved, here, empty].map((id) => findJob(database.read, id)));
  await requestAt("other");
  assert.deepEqual(await jobs(), [null, null, null]);
  await requestAt("some");
  assert.deepEqual(
    (await jobs()).map((job) => job?.extent ?? null),
    ["full", null, null],
  );
  const states = await database.read
    .selectFrom("nodes")
    .select(["connection_id", "content_state"])
    .orderBy("connection_id")
    .execute();
  assert.deepEqual(
    states.map(({ content_state }) => content_state),
    ["pending", "pending", "ready"],
  );
});
