import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, type SyncProgress, type Workspace } from "@clew/client";
import { QueryClient } from "@tanstack/react-query";
import { workspacesQuery } from "./queries.ts";
import { learnProgress } from "./sync-progress.ts";

const reading: SyncProgress = {
  state: "running",
  phase: "content",
  done: 0,
  total: 1000,
  started_at: "2026-11-01T10:00:00.000Z",
  finished_at: null,
  error: null,
  outcome: null,
  waiting_until: null,
  failed: [],
  failed_total: 0,
};

const workspaceWith = (sync: SyncProgress, nodes = 0): Workspace => ({
  id: "w",
  name: "A workspace",
  icon: null,
  status: "active",
  nodes,
  edges: 0,
  sync,
  last_synced_at: null,
  complete_as_of: null,
  edits_as_of: null,
});

/** The list of workspaces in a cache. A poll waits until the test answers it. */
function listOfWorkspaces() {
  const client = new QueryClient();
  const polls: ((answer: Response) => void)[] = [];
  const send: typeof fetch = () =>
    new Promise((resolve) => {
      polls.push(resolve);
    });
  const query = workspacesQuery(createClient({ url: new URL("http://clew.example/"), fetch: send }));
  const shown = () => client.getQueryData(query.queryKey)?.[0];
  return {
    polls,
    /** Sends a poll. The function answers it, and resolves to the progress that is then shown. */
    poll() {
      const answered = client.fetchQuery({ ...query, staleTime: 0 });
      const sent = polls.length;
      return async (sync: SyncProgress, nodes?: number) => {
        polls[sent - 1]?.(Response.json({ items: [workspaceWith(sync, nodes)], next_cursor: null }));
        await answered;
        return shown()?.sync;
      };
    },
    /** Has an event tell progress; returns what is then shown. */
    tell(sync: SyncProgress) {
      learnProgress(client, query.queryKey, "w", sync);
      return shown()?.sync;
    },
    shown,
    isAskedAgain: () => client.getQueryState(query.queryKey)?.isInvalidated,
  };
}

const at = (done: number): SyncProgress => ({ ...reading, done });

test("GRAPH-15: an event that a later poll has overtaken does not replace its progress", async () => {
  const list = listOfWorkspaces();
  assert.deepEqual(await list.poll()(at(124)), at(124));
  assert.deepEqual(list.tell(at(68)), at(124));
  assert.ok(list.isAskedAgain());
  assert.deepEqual(list.tell(at(167)), at(167));
});

test("GRAPH-15: the answer to a poll that was sent before an event does not replace its progress", async () => {
  const list = listOfWorkspaces();
  await list.poll()(at(43));
  const answer = list.poll();
  assert.deepEqual(list.tell(at(145)), at(145));
  assert.deepEqual(await answer(at(99), 17), at(145));
  assert.equal(list.shown()?.nodes, 17, "only the list has the size of the graph");
  assert.deepEqual(await list.poll()(at(180)), at(180));
});

test("GRAPH-15: progress of an earlier phase, or of an earlier sync, is older", async () => {
  const list = listOfWorkspaces();
  await list.poll()(at(5));
  const earlier: SyncProgress[] = [
    { ...at(900), phase: "titles", total: 900 },
    { ...at(999), started_at: "2026-11-01T09:00:00.000Z" },
    { ...at(0), state: "queued", phase: null, started_at: null },
  ];
  for (const sync of earlier) assert.deepEqual(list.tell(sync), at(5));
  const ended: SyncProgress = { ...at(1000), state: "idle", phase: null, outcome: "complete" };
  await list.poll()(ended);
  assert.deepEqual(list.tell(at(990)), ended);
});

test("GRAPH-15, SYNC-6: a sync that has begun again is shown from its beginning", async () => {
  const list = listOfWorkspaces();
  await list.poll()(at(500));
  const again: SyncProgress = { ...reading, phase: "titles", total: null };
  assert.deepEqual(list.tell(again), at(500));
  assert.ok(list.isAskedAgain());
  assert.deepEqual(await list.poll()(again), again);
  assert.deepEqual(list.tell({ ...again, done: 9 }), { ...again, done: 9 });
});
