import assert from "node:assert/strict";
import { test } from "node:test";
import type { SyncReport } from "../../model/sync-report.ts";
import { setNeedsReauth } from "../../store/queries/connections.ts";
import { failContent } from "../../store/queries/graph-pages.ts";
import { insertSyncReport } from "../../store/queries/sync-reports.ts";
import { page } from "../../store/testing/scratch.ts";
import { serveWorkspaces, taggedWorkspace, workspace } from "./testing/workspace-server.ts";

const unknown = "99999999-9999-4999-8999-999999999999";

test("GRAPH-15: a sync can be requested, also a full one, and the response is the workspace", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  const { id: connectionId } = await owner.connect(workspace, [{ number: 1 }]);
  const answer = await owner.session.call("POST", `/workspaces/${workspace}/sync/`);
  assert.equal(answer.status, 202);
  const { items } = (await owner.session.get("/workspaces/")).body;
  assert.deepEqual(answer.body, items[0]);
  await owner.session.call("POST", `/workspaces/${workspace}/sync?full=true`);
  assert.deepEqual(server.requestedSyncs, [
    { connectionId, request: { by: "person", full: false } },
    { connectionId, request: { by: "person", full: true } },
  ]);
});

test("SRC-4: the owner of a folder decides whether tags are nodes, and a sync follows a change", async (t) => {
  const server = await serveWorkspaces(t);
  const { database } = server.fixture;
  const owner = await server.person("owner");
  await owner.connect(workspace);
  await owner.connect(taggedWorkspace);
  const change = async (body: object, of = taggedWorkspace, as = owner) => {
    const answer = await server.app.inject({
      method: "PATCH",
      url: `/api/provider-graph/workspaces/${of}/`,
      headers: { authorization: `Bearer ${as.session.raw}` },
      payload: body,
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const jobs = () => database.read.selectFrom("sync_jobs").select("connection_id").execute();
  const refused = await change({ tags: true }, workspace);
  assert.deepEqual([refused.status, refused.body.code], [409, "conflict"], "the source has no tags");
  for (const body of [{}, { tags: "true" }, { tags: null }, { tags: true, name: "x" }])
    assert.equal((await change(body)).status, 400, JSON.stringify(body));
  assert.equal((await change({ tags: false })).body.tags, false);
  assert.equal((await jobs()).length, 0, "nothing has changed");
  const { status, body } = await change({ tags: true });
  assert.deepEqual([status, body.tags, body.sync.state], [200, true, "queued"]);
  assert.equal((await jobs()).length, 1);
  const stranger = await server.person("stranger");
  const theirs = await change({ tags: false }, taggedWorkspace, stranger);
  const nobodys = await change({ tags: false }, unknown, stranger);
  assert.deepEqual([theirs.status, theirs.body.detail], [404, nobodys.body.detail]);
  assert.equal((await change({ tags: true })).body.tags, true);
});

test("OPS-9: a sync that could not be requested is not accepted", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  await owner.connect(workspace);
  server.refuseSyncs();
  const answer = await server.app.inject({
    method: "POST",
    url: `/api/provider-graph/workspaces/${workspace}/sync/`,
    headers: { authorization: `Bearer ${owner.session.raw}` },
  });
  assert.deepEqual([answer.statusCode, answer.json().code], [503, "unavailable"]);
});

test("GRAPH-15: a sync of a workspace with a withdrawn grant is refused: it has to be connected again", async (t) => {
  const server = await serveWorkspaces(t);
  const { database, clock } = server.fixture;
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace);
  await database.transaction((trx) => setNeedsReauth(trx, id, clock()));
  const { status, body } = await owner.session.call("POST", `/workspaces/${workspace}/sync/`);
  assert.deepEqual([status, body.code], [409, "conflict"]);
  assert.match(body.detail, /Sign in to connect it again/);
  assert.deepEqual(server.requestedSyncs, []);
});

test("GRAPH-10: another person's workspace is like one that does not exist", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  const stranger = await server.person("stranger");
  await owner.connect(workspace);
  const responsesFor = async (id: string) => {
    const answers = [];
    for (const [method, path] of [
      ["POST", "sync/"],
      ["GET", "syncs/"],
      ["GET", "events"],
      ["HEAD", "events"],
      ["DELETE", ""],
    ] as const) {
      const { status, body, headers } = await stranger.session.call(method, `/workspaces/${id}/${path}`);
      answers.push([status, headers["content-type"], { ...body, request_id: "" }]);
    }
    return answers;
  };
  const theirs = await responsesFor(workspace);
  assert.deepEqual(
    theirs.map(([status]) => status),
    [404, 404, 404, 404, 404],
  );
  assert.deepEqual(theirs, await responsesFor(unknown));
  assert.equal((await owner.session.get("/workspaces/")).body.items.length, 1);
});

test("GRAPH-15: a disconnected workspace is gone from both APIs at once, and a second time not found", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace, [{ number: 1 }]);
  const token = await owner.token({ workspaceIds: [workspace] });
  const { status, text } = await owner.session.call("DELETE", `/workspaces/${workspace}/`);
  assert.deepEqual([status, text], [204, ""]);
  assert.deepEqual(server.abandoned, [id]);
  assert.deepEqual((await owner.session.get("/workspaces/")).body.items, []);
  assert.equal((await token.get("/workspaces/")).body.code, "token_revoked");
  assert.equal((await owner.session.call("DELETE", `/workspaces/${workspace}/`)).status, 404);
});

const report: SyncReport = {
  kind: "full",
  outcome: "incomplete",
  startedAt: Date.UTC(2031, 0, 1),
  finishedAt: Date.UTC(2031, 0, 1, 0, 5),
  error: null,
  found: { search: 3, rows: 2, crawl: 1 },
  fetched: 6,
  removed: 1,
  failed: [{ id: page(1).id, title: "Page 1", reason: "It is too large." }],
  failedTotal: 1,
  unanswered: ["the rows of a database"],
  unsupported: [{ kind: "block", type: "form", count: 2 }],
  notShared: 3,
  unresolved: 2,
  orphans: 1,
  source: {
    dialect: "Obsidian",
    unread: [{ type: ".canvas", count: 12 }],
    named: [{ path: "huge.md", message: "not read: the file is larger than 5 MiB" }],
  },
};

test("SYNC-5: the workspace's owner reads the reports of the latest syncs, newest first", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace);
  const path = `/workspaces/${workspace}/syncs/`;
  assert.deepEqual((await owner.session.get(path)).body, { items: [] });
  const failed: SyncReport = { ...report, outcome: "failed", error: "The provider could not be reached." };
  await server.fixture.database.transaction(async (trx) => {
    await insertSyncReport(trx, id, report);
    await insertSyncReport(trx, id, failed);
  });
  const { items } = (await owner.session.get(path)).body;
  assert.equal(items.length, 2);
  assert.deepEqual([items[0].outcome, items[0].error], ["failed", "The provider could not be reached."]);
  assert.deepEqual(items[1], {
    kind: "full",
    outcome: "incomplete",
    started_at: "2031-01-01T00:00:00.000Z",
    finished_at: "2031-01-01T00:05:00.000Z",
    error: null,
    found: { search: 3, rows: 2, crawl: 1 },
    fetched: 6,
    removed: 1,
    failed: [{ node_id: page(1).id, title: "Page 1", reason: "It is too large." }],
    failed_total: 1,
    unanswered: ["the rows of a database"],
    unsupported: [{ kind: "block", type: "form", count: 2 }],
    not_shared: 3,
    unresolved: 2,
    orphans: 1,
    source: {
      dialect: "Obsidian",
      unread: [{ type: ".canvas", count: 12 }],
      named: [{ path: "huge.md", message: "not read: the file is larger than 5 MiB" }],
    },
  });
});

test("SYNC-5: callers who may read nodes see which pages could not be read, all others only their number", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  const numbers = Array.from({ length: 25 }, (_, index) => ({ number: index + 1 }));
  const { id } = await owner.connect(workspace, numbers);
  await server.fixture.database.transaction(async (trx) => {
    for (const { number } of numbers) await failContent(trx, id, page(number).id, "It is too large.");
  });
  const reader = await owner.token({ workspaceIds: [workspace], scopes: ["graph:read"] });
  const walker = await owner.token({ workspaceIds: [workspace], scopes: ["graph:neighbors"] });
  for (const [bearer, named] of [
    [owner.session, 20],
    [reader, 20],
    [walker, 0],
  ] as const) {
    for (const path of ["/workspaces/", "/"]) {
      const { items, workspaces = items } = (await bearer.get(path)).body;
      const { sync } = workspaces[0];
      assert.deepEqual([sync.failed.length, sync.failed_total], [named, 25]);
      if (named > 0) assert.equal(sync.failed[0].reason, "It is too large.");
    }
  }
});
