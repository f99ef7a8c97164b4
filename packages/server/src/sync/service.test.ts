import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { onLists } from "../model/testing/allow-lists.ts";
import { findConnection } from "../store/queries/connections.ts";
import { findJob } from "../store/queries/jobs.ts";
import { syncReportsOf } from "../store/queries/sync-reports.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { wrapWrites } from "../store/testing/wrap-writes.ts";
import type { EndedSync } from "./steps/open-context.ts";
import { dated, without } from "./testing/calls.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import { apiError, type Call, createWorkspace, type Workspace } from "./testing/workspace.ts";

const pages = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`p${index}.md`, `# P${index}\n\nWords.\n`]),
  );

/** A page that names another one, and rows. */
const filesOf = (words: string, updated: string) => ({
  "start.md": dated(`# Start\n\n${words}: [[Named]].\n`, updated),
  "guides/index.md": dated(`# Guides\n\nThe ${words}.\n`, updated),
  "guides/named.md": dated("# Named\n"),
  "tasks/_database.yml": "title: Tasks\nproperties:\n  Text: { type: rich_text }\n",
  "tasks/write.md": dated("# Write\n", updated, `Text: ${words}\n`),
  "tasks/print.md": dated("# Print\n", updated, `Text: ${words}\n`),
});

const isText = ({ path }: Call) => path.endsWith("/markdown");
const texts = (workspace: Workspace) => workspace.calls.filter(isText).map(({ path }) => path);

/** Lets `count` texts pass, then holds back all calls; resolves when the first is held back. */
function holdAfter(workspace: Workspace, count: number): { held: Promise<void>; release: () => void } {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let passed = 0;
  workspace.intercept(async (call, pass) => {
    if (isText(call)) passed += 1;
    if (passed <= count) return pass();
    held.resolve();
    await released.promise;
    return pass();
  });
  return { held: held.promise, release: released.resolve };
}

test("GRAPH-15: requests join a sync that waits; those that come after it has begun are served by one sync that follows", async (t) => {
  const workspace = await createWorkspace(t, pages(3));
  const { id } = await workspace.connect();
  const runs = () => workspace.logged.filter((line) => line.includes("sync started")).length;
  await workspace.sync.stop();
  await workspace.sync.request(id);
  await workspace.sync.request(id);
  const { held, release } = holdAfter(workspace, 1);
  const sync = workspace.restart();
  sync.start();
  await held;
  await workspace.write({ "p0.md": "# Renamed meanwhile\n" });
  await sync.request(id);
  await sync.request(id);
  release();
  await workspace.end(id);
  assert.equal(runs(), 2);
  assert.deepEqual(await workspace.titles(id), ["P1", "P2", "Renamed meanwhile"]);
});

test("GRAPH-15: what was requested of an interrupted sync is read by the one that follows it", async (t) => {
  const workspace = await createWorkspace(t, pages(3));
  const { id } = await workspace.connect();
  const { held, release } = holdAfter(workspace, 1);
  await workspace.sync.request(id);
  await held;
  await workspace.sync.stop();
  release();
  // The interrupted run has listed this page, so the one that resumes it takes it for present.
  await workspace.remove("p2.md");
  const sync = workspace.restart();
  await sync.request(id);
  sync.start();
  await workspace.end(id);
  assert.deepEqual(await workspace.titles(id), ["P0", "P1"]);
});

test("GRAPH-15: once a request has resolved, the connection shows its sync", async (t) => {
  const workspace = await createWorkspace(t, pages(1));
  const { id } = await workspace.connect();
  await workspace.run(id);
  const { release } = holdAfter(workspace, 0);
  await workspace.sync.request(id);
  const state = (await findConnection(workspace.database.read, id))?.sync.state;
  release();
  assert.ok(state === "queued" || state === "running", state);
  await workspace.end(id);
});

test("GRAPH-15: a request that could not be stored rejects", async (t) => {
  const full = new Error("the disk is full");
  let isFull = false;
  const workspace = await createWorkspace(t, pages(1), {
    wrapDatabase: (database) => wrapWrites(database, (write) => (isFull ? Promise.reject(full) : write())),
  });
  const { id } = await workspace.connect();
  isFull = true;
  await assert.rejects(workspace.sync.request(id), full);
  isFull = false;
  await workspace.run(id);
  assert.deepEqual(await workspace.titles(id), ["P0"]);
});

test("SYNC-5: whichever write of a sync fails, the sync ends once, as its connection says, and the next one completes", async (t) => {
  let failing = Number.POSITIVE_INFINITY;
  let writes = 0;
  const ended: EndedSync[] = [];
  const workspace = await createWorkspace(t, pages(1), {
    onEnded: (sync) => void ended.push(sync),
    wrapDatabase: (database) =>
      wrapWrites(database, async (write) => {
        writes += 1;
        if (writes === failing) throw new Error("the disk is broken");
        return write();
      }),
  });
  const { id } = await workspace.connect();
  let failed = 0;
  // The first two are the request, and the claim of its job, which the next poll repeats.
  failing = 2;
  do {
    failing += 1;
    writes = 0;
    ended.length = 0;
    await workspace.sync.request(id, { full: true });
    const { sync } = await workspace.end(id);
    // It is counted once its end is stored.
    while (ended.length === 0) await setImmediate();
    assert.deepEqual(
      ended.map(({ outcome }) => outcome === "failed"),
      [sync.state === "failed"],
      `write ${failing}`,
    );
    if (sync.state === "failed") failed += 1;
    workspace.pass(60 * 60_000);
  } while (writes >= failing);
  assert.ok(failed >= 5, `${failed} syncs failed`);
  failing = Number.POSITIVE_INFINITY;
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
});

test("SYNC-5: whichever write of a first or later sync fails, the next one stores all that there is", async (t) => {
  let failing = Number.POSITIVE_INFINITY;
  let writes = 0;
  const workspace = await createWorkspace(t, filesOf("first", "2026-01-01T00:00:00Z"), {
    wrapDatabase: (database) =>
      wrapWrites(database, async (write) => {
        writes += 1;
        if (writes === failing) throw new Error("the disk is broken");
        return write();
      }),
  });
  // They are found in their database and in a text.
  workspace.intercept(without("Write", "Print", "Named"));
  let id = 0;
  const connect = async () => {
    await workspace.database.transaction((trx) => trx.deleteFrom("connections").execute());
    id = (await workspace.connect()).id;
  };
  const graph = async () => {
    const { nodes, texts, references } = await storedGraph(workspace.database, id);
    const untimed = <T extends { updatedAt: unknown }>({ updatedAt: _, ...rest }: T) => rest;
    return { nodes: nodes.map(untimed), texts: texts.map(untimed), references };
  };
  const edit = async (words: string) => {
    workspace.pass(60 * 60_000);
    await workspace.write(filesOf(words, new Date(workspace.clock()).toISOString()));
    workspace.pass(60 * 60_000);
  };
  const expected = new Map<string, Awaited<ReturnType<typeof graph>>>();
  for (const words of ["second", "first"]) {
    await edit(words);
    await connect();
    assert.equal((await workspace.run(id)).sync.outcome, "complete");
    expected.set(words, await graph());
  }
  /** Has one write after the other fail in a sync that `begin` begins, and in none of the next one. */
  const failEach = async (begin: () => Promise<string>) => {
    // The first two are the request, and the claim of its job, which the next poll repeats.
    for (let at = 3; ; at += 1) {
      const words = await begin();
      // The poll that follows a sync is over.
      await workspace.sync.poll();
      [writes, failing] = [0, at];
      const { sync } = await workspace.run(id);
      if (writes < at) return at;
      failing = Number.POSITIVE_INFINITY;
      workspace.pass(60 * 60_000);
      assert.equal((await workspace.run(id)).sync.outcome, "complete");
      assert.deepEqual(await graph(), expected.get(words), `write ${at} (${sync.state})`);
    }
  };
  const inFirst = await failEach(async () => {
    await connect();
    return "first";
  });
  let edits = 0;
  const inLater = await failEach(async () => {
    edits += 1;
    const words = edits % 2 === 0 ? "first" : "second";
    await edit(words);
    return words;
  });
  assert.ok(inFirst >= 12 && inLater >= 8, `${inFirst} and ${inLater} writes`);
});

test("SYNC-6: a sync interrupted by a restart resumes, and fetches only the texts in flight again", async (t) => {
  const workspace = await createWorkspace(t, pages(20));
  const { id } = await workspace.connect();
  const { held, release } = holdAfter(workspace, 8);
  await workspace.sync.request(id);
  await held;
  await workspace.sync.stop();
  release();
  const stopped = await findConnection(workspace.database.read, id);
  assert.equal(stopped?.sync.state, "running");
  assert.equal(stopped?.lastSyncedAt, null);
  const before = texts(workspace);

  workspace.pass(5000);
  workspace.intercept(null);
  workspace.calls.length = 0;
  workspace.restart().start();
  const { sync } = await workspace.end(id);
  assert.equal(sync.state, "idle");
  assert.equal(sync.startedAt, stopped?.sync.startedAt);
  assert.equal((await workspace.titles(id)).length, 20);
  assert.equal((await workspace.node(id, "P19")).contentState, "ready");
  const again = texts(workspace).filter((path) => before.includes(path));
  assert.ok(again.length <= 4, `${again.length} pages were read twice`);
});

test("SYNC-6: a stopped service begins nothing new", async (t) => {
  const workspace = await createWorkspace(t, pages(1));
  const { id } = await workspace.connect();
  await workspace.sync.stop();
  workspace.calls.length = 0;
  await workspace.sync.request(id);
  assert.deepEqual(workspace.calls, []);
  assert.equal((await findConnection(workspace.database.read, id))?.sync.state, "queued");
});

test("SYNC-6: a sync queued before a restart runs after it", async (t) => {
  const workspace = await createWorkspace(t, pages(1));
  const { id } = await workspace.connect();
  await workspace.sync.stop();
  await workspace.sync.request(id);
  workspace.restart().start();
  assert.equal((await workspace.end(id)).sync.state, "idle");
  assert.deepEqual(await workspace.titles(id), ["P0"]);
});

test("SYNC-8: a grant that was withdrawn turns the connection to needs_reauth and keeps its graph", async (t) => {
  const workspace = await createWorkspace(t, pages(3));
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.intercept(async () => apiError(401, "unauthorized"));
  const { status, sync } = await workspace.run(id);
  assert.equal(status, "needs_reauth");
  assert.equal(sync.state, "failed");
  assert.match(sync.error ?? "", /Sign in again/);
  assert.equal((await workspace.titles(id)).length, 3);

  workspace.calls.length = 0;
  await workspace.sync.request(id);
  await workspace.sync.stop();
  assert.deepEqual(workspace.calls, []);
});

test("SYNC-8: a grant that is withdrawn while texts are read ends the sync at once", async (t) => {
  const workspace = await createWorkspace(t, pages(12));
  const { id } = await workspace.connect();
  const isRefused = (call: Call) => isText(call) || ["/v1/users/me", "/v1/oauth/token"].includes(call.path);
  workspace.intercept(async (call, pass) => (isRefused(call) ? apiError(401, "unauthorized") : pass()));
  const { status, sync } = await workspace.run(id);
  assert.equal(status, "needs_reauth");
  assert.equal(sync.state, "failed");
  assert.ok(texts(workspace).length <= 4);
  assert.equal((await workspace.node(id, "P0")).contentState, "pending");
});

test("SIGN-5: a grant that is replaced while its sync is under way is read to the end, with the new grant", async (t) => {
  const workspace = await createWorkspace(t, { "a.md": "# A\n", "b.md": "# B\n" });
  const { id } = await workspace.connect({ pages: ["A"] });
  const { held, release } = holdAfter(workspace, 0);
  await workspace.sync.request(id);
  await held;
  workspace.intercept(null);
  await workspace.connect({ pages: ["A", "B"] });
  await workspace.sync.request(id);
  release();
  while ((await workspace.end(id)) && (await workspace.titles(id)).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const { status, sync } = await workspace.end(id);
  assert.equal(status, "active");
  assert.equal(sync.state, "idle");
  assert.deepEqual(await workspace.titles(id), ["A", "B"]);
});

test("SIGN-5: a replaced grant that ends requires no new sign-in", async (t) => {
  const workspace = await createWorkspace(t, { "a.md": "# A\n" });
  const { id } = await workspace.connect();
  const replaced = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  workspace.intercept(async () => {
    asked.resolve();
    await replaced.promise;
    workspace.intercept(null);
    return apiError(401, "unauthorized");
  });
  await workspace.sync.request(id);
  await asked.promise;
  const intercepted = workspace.calls.length;
  workspace.intercept(null);
  await workspace.connect();
  replaced.resolve();
  while ((await workspace.end(id)).lastSyncedAt === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await workspace.end(id)).status, "active");
  assert.ok(workspace.calls.length > intercepted);
  assert.deepEqual(await workspace.titles(id), ["A"]);
});

test("SYNC-9: connections are synced concurrently, each with its own pages", async (t) => {
  const workspace = await createWorkspace(t, { "a.md": "# A\n\n[[B]]\n", "b.md": "# B\n" });
  const one = await workspace.connect({ person: "Librarian", pages: ["A"] });
  const other = await workspace.connect({ person: "Visitor", pages: ["A", "B"] });
  await Promise.all([workspace.run(one.id), workspace.run(other.id)]);
  assert.deepEqual(await workspace.titles(one.id), ["A"]);
  assert.deepEqual(await workspace.edges(one.id), []);
  assert.deepEqual(await workspace.edges(other.id), ["A -mention-> B"]);
});

test("SYNC-5: the log has a line for the start of a sync and one for its end, which is a warning if it failed", async (t) => {
  const workspace = await createWorkspace(t, { "a.md": dated("# A\n") });
  const { id } = await workspace.connect();
  const lines = async () => {
    workspace.logged.length = 0;
    await workspace.run(id);
    // The poll that follows a sync is over.
    while (!workspace.logged.some((line) => /sync (?:completed|failed)"/.test(line))) await setImmediate();
    await workspace.sync.poll();
    return workspace.logged.map((line) => {
      const { level, kind, connectionId, msg } = JSON.parse(line);
      return [level, msg, kind, connectionId];
    });
  };
  const [info, warn, error] = [30, 40, 50];
  for (const kind of ["first", "incremental"])
    assert.deepEqual(await lines(), [
      [info, "sync started", kind, id],
      [info, "sync completed", kind, id],
    ]);
  workspace.intercept(async () => apiError(400, "validation_error"));
  assert.deepEqual(await lines(), [
    [info, "sync started", "incremental", id],
    [error, "sync attempt failed", undefined, id],
    [warn, "sync failed", "incremental", id],
  ]);
});

test("SYNC-5: a sync whose search fails has failed, and the earlier graph stays", async (t) => {
  const workspace = await createWorkspace(t, pages(2));
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.intercept(async () => new Response("<html>Words of a proxy</html>", { status: 502 }));
  const { sync, status, lastSyncedAt } = await workspace.run(id);
  assert.equal(sync.state, "failed");
  assert.equal(sync.error, "The provider could not be reached.");
  assert.equal(status, "active");
  assert.ok(lastSyncedAt !== null);
  assert.equal((await workspace.titles(id)).length, 2);
  assert.doesNotMatch(workspace.logged.join(), /Words of a proxy/);
});

test("GRAPH-15: the late writes of a removed connection's sync are discarded", async (t) => {
  const workspace = await createWorkspace(t, pages(6));
  const { id } = await workspace.connect();
  const { held, release } = holdAfter(workspace, 2);
  await workspace.sync.request(id);
  await held;
  await workspace.database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  release();
  workspace.intercept(null);
  while (!workspace.logged.some((line) => line.includes("its connection is gone")))
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(await workspace.titles(id), []);
});

test("SIGN-8: no token is ever logged, or stored in the open", async (t) => {
  const workspace = await createWorkspace(t, pages(2));
  const { id } = await workspace.connect();
  await workspace.run(id);
  workspace.intercept(async () => apiError(401, "unauthorized"));
  await workspace.run(id);
  const [token = ""] = workspace.calls.flatMap(
    ({ authorization }) => authorization.match(/(?<=Bearer ).+/) ?? [],
  );
  assert.ok(token.length > 10);
  assert.ok(!workspace.logged.join().includes(token));
  const reports = await syncReportsOf(workspace.database.read, id);
  assert.deepEqual(
    reports.map(({ outcome }) => outcome),
    ["failed", "complete"],
  );
  assert.ok(!JSON.stringify(reports).includes("oken"));
});

test("SIGN-8: a grant that cannot be unsealed fails its sync, and the connection says so", async (t) => {
  const workspace = await createWorkspace(t, pages(1));
  const { id } = await workspace.connect();
  await workspace.database.transaction((trx) =>
    trx
      .updateTable("connections")
      .set({ access_token: Uint8Array.of(1, 2, 3) })
      .where("id", "=", id)
      .execute(),
  );
  const { sync, status } = await workspace.run(id);
  assert.equal(sync.state, "failed");
  assert.match(sync.error ?? "", /inside Clew/);
  assert.equal(status, "active");
});

test("SIGN-10: a person off the lists is not synced but keeps their graph, and is synced again once back on them", async (t) => {
  const workspace = await createWorkspace(t, pages(3));
  const { id } = await workspace.connect();
  await workspace.run(id);
  await workspace.write({ "p0.md": "# P0\n\nOther words.\n" });
  workspace.pass(60_000);
  const calls = workspace.calls.length;

  const unlisted = workspace.restart(onLists({ workspaces: ["elsewhere"], emails: ["@b.example"] }));
  const rested = await workspace.run(id, unlisted);
  assert.equal(rested.sync.state, "idle");
  assert.equal(workspace.calls.length, calls);
  assert.equal((await readGraph(workspace.database.read, id)).nodes.length, 3);
  await unlisted.stop();

  const again = await workspace.run(id, workspace.restart());
  assert.equal(again.sync.state, "idle");
  assert.ok(workspace.calls.length > calls);
});

test("SIGN-10: the list of addresses is about the person who gave the grant, who is the owner unless another one is named", async (t) => {
  const workspace = await createWorkspace(t, pages(1));
  const { id, userId } = await workspace.connect();
  const ofPeople = onLists({ emails: ["listed@a.example", "@b.example"] });
  const service = workspace.restart(ofPeople);
  /** Whether a sync calls the provider. */
  const isSynced = async (owner: string | null, giver: string | null, by = service) => {
    await workspace.database.transaction(async (trx) => {
      await trx.updateTable("users").set({ email: owner }).where("id", "=", userId).execute();
      await trx.updateTable("connections").set({ granted_email: giver }).where("id", "=", id).execute();
    });
    workspace.calls.length = 0;
    const { sync } = await workspace.run(id, by);
    assert.deepEqual([sync.state, sync.phase, sync.waitingUntil], ["idle", null, null]);
    assert.equal(await findJob(workspace.database.read, id), null);
    return workspace.calls.length > 0;
  };
  assert.equal(await isSynced("listed@a.example", null), true);
  assert.equal(await isSynced("Anyone@B.example", null), true);
  assert.equal(await isSynced("other@a.example", null), false);
  assert.equal(await isSynced(null, null), false);
  assert.equal(await isSynced("other@a.example", "listed@a.example"), true);
  assert.equal(await isSynced("listed@a.example", "other@a.example"), false);
  assert.equal(await isSynced("listed@a.example", ""), false, "the giver has no address");
  assert.equal(await isSynced(null, null, workspace.restart()), true, "anyone may");
});
