import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { SyncProgress } from "../../../model/connection.ts";
import type { SyncReport } from "../../../model/sync-report.ts";
import { actorOf } from "../../../model/testing/actor.ts";
import { finishSync, setSyncProgress } from "../../../store/queries/connections.ts";
import { insertSyncReport } from "../../../store/queries/sync-reports.ts";
import { deleteUser } from "../../../store/queries/users.ts";
import { listening } from "../testing/listener.ts";
import { serveWorkspaces, workspace } from "../testing/workspace-server.ts";

const second = 1_000;
const hour = 3_600_000;

const report: SyncReport = {
  kind: "incremental",
  outcome: "complete",
  startedAt: 0,
  finishedAt: 1,
  error: null,
  found: { search: 1, rows: 0, crawl: 0 },
  fetched: 1,
  removed: 0,
  failed: [],
  failedTotal: 0,
  unanswered: [],
  unsupported: [{ kind: "block", type: "form", count: 2 }],
  notShared: 3,
  unresolved: 0,
  orphans: 0,
  source: null,
};

async function setUp(t: TestContext) {
  const server = await serveWorkspaces(t);
  const { database, clock } = server.fixture;
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace, [{ number: 1 }]);
  const open = await listening(server);
  t.mock.timers.enable({ apis: ["setInterval"] });
  const write = (progress: Partial<SyncProgress>) =>
    database.transaction((trx) => setSyncProgress(trx, id, progress));
  await write({ state: "idle" });
  return {
    server,
    owner,
    open,
    write,
    database,
    clock,
    /** Waits for the next poll. */
    look: () => t.mock.timers.tick(500),
    finish: (outcome: SyncReport["outcome"]) =>
      database.transaction(async (trx) => {
        await insertSyncReport(trx, id, { ...report, outcome });
        if (outcome !== "failed")
          return finishSync(trx, id, {
            startedAt: clock(),
            now: clock(),
            isComplete: outcome === "complete",
          });
        const failure = { state: "failed", finishedAt: clock(), error: "It is away.", outcome } as const;
        await setSyncProgress(trx, id, failure);
      }),
  };
}

test("GRAPH-15: a stream sends the sync status at once, then each change, and finally the report", async (t) => {
  const { open, owner, write, look, finish, clock } = await setUp(t);
  const stream = await open(owner, { origin: "https://clew.example" });
  const { headers, statusCode } = stream.answer;
  assert.equal(statusCode, 200);
  assert.equal(headers["content-type"], "text/event-stream; charset=utf-8");
  assert.equal(headers["cache-control"], "private, no-store");
  assert.equal(headers["x-accel-buffering"], "no");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["access-control-allow-origin"], "https://clew.example");

  assert.deepEqual(await stream.next(), { retry: "3000" });
  const first = await stream.next();
  assert.deepEqual([first?.event, first?.id, first?.data?.sync.state], ["progress", "0", "idle"]);
  assert.equal(first?.data?.report, null);

  const until = clock() + 30 * second;
  await write({ state: "waiting", phase: "content", done: 3, total: 9, waitingUntil: until });
  look();
  const sync = (await stream.next())?.data?.sync;
  assert.deepEqual([sync?.state, sync?.done, sync?.total], ["waiting", 3, 9]);
  assert.equal(sync?.waiting_until, new Date(until).toISOString());

  await finish("complete");
  look();
  const last = await stream.next();
  assert.deepEqual([last?.event, last?.id, last?.data?.sync.state], ["completed", String(clock()), "idle"]);
  assert.deepEqual([last?.data?.sync.outcome, last?.data?.report?.outcome], ["complete", "complete"]);

  clock.advance(second);
  await finish("failed");
  look();
  const failed = await stream.next();
  assert.deepEqual([failed?.event, failed?.data?.sync.error], ["failed", "It is away."]);
  assert.equal(failed?.data?.sync.outcome, "failed");
});

test("GRAPH-15: without changes the stream sends a comment every 15 seconds", async (t) => {
  const { open, owner, look, clock, write } = await setUp(t);
  const stream = await open(owner);
  await stream.next();
  await stream.next();
  clock.advance(15 * second);
  look();
  assert.deepEqual(await stream.next(), { comment: "still here" });
  await write({ state: "queued" });
  look();
  assert.equal((await stream.next())?.data?.sync.state, "queued");
});

test("GRAPH-15: a client that reconnects gets the end that it missed", async (t) => {
  const { open, owner, finish, clock } = await setUp(t);
  await finish("complete");
  const before = await open(owner);
  await before.next();
  const id = (await before.next())?.id ?? "";
  assert.equal(id, String(clock()));
  before.leave();
  clock.advance(second);
  await finish("failed");
  for (const [lastEventId, event] of [
    [id, "failed"],
    [String(clock()), "progress"],
    ["nonsense", "progress"],
  ] as const) {
    const again = await open(owner, { "last-event-id": lastEventId });
    await again.next();
    assert.equal((await again.next())?.event, event, lastEventId);
  }
});

const ends = {
  "the session is over": async ({ server, owner }) => {
    const { sessions } = server.fixture;
    await sessions.logout(actorOf(await sessions.verifyAccess(owner.tokens.access)), owner.tokens.refresh);
  },
  "the account is gone": async ({ database, owner }) => {
    await database.transaction((trx) => deleteUser(trx, owner.userId));
  },
  "the workspace was given up": async ({ owner }) => {
    await owner.session.call("DELETE", `/workspaces/${workspace}/`);
  },
  "an hour has passed": async ({ clock }) => clock.advance(hour),
} satisfies Record<string, (fixture: Awaited<ReturnType<typeof setUp>>) => Promise<void>>;

for (const [why, happen] of Object.entries(ends)) {
  test(`GRAPH-15: a stream ends once ${why}`, async (t) => {
    const fixture = await setUp(t);
    const stream = await fixture.open(fixture.owner);
    await stream.next();
    await stream.next();
    await happen(fixture);
    fixture.look();
    assert.equal(await stream.next(), null);
  });
}

test("GRAPH-15: a stream ends when its access token expires", async (t) => {
  const { open, owner, clock, look } = await setUp(t);
  clock.advance(4 * hour - 60 * second);
  const stream = await open(owner);
  await stream.next();
  await stream.next();
  clock.advance(60 * second);
  look();
  assert.equal(await stream.next(), null);
});

test("OPS-3: shutdown ends open streams properly", async (t) => {
  const { server, open, owner } = await setUp(t);
  const streams = [await open(owner), await open(owner)];
  for (const stream of streams) {
    await stream.next();
    await stream.next();
  }
  await server.app.close();
  for (const stream of streams) assert.equal(await stream.next(), null);
});

test("LIM-3: the 15-second timeout for responses does not cut a stream", async (t) => {
  const server = await serveWorkspaces(t);
  const owner = await server.person("owner");
  await owner.connect(workspace);
  const open = await listening(server);
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const stream = await open(owner);
  await stream.next();
  await stream.next();
  t.mock.timers.tick(20 * second);
  server.fixture.clock.advance(20 * second);
  t.mock.timers.tick(500);
  assert.deepEqual(await stream.next(), { comment: "still here" });
});

test("LIM-1: a session has ten streams open at most", async (t) => {
  const { open, owner, server } = await setUp(t);
  const streams = [];
  for (let number = 0; number < 10; number += 1) streams.push(await open(owner));
  const refused = await owner.session.get(`/workspaces/${workspace}/events`);
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"]);
  assert.match(String(refused.headers["retry-after"]), /^\d+$/);
  streams[0]?.leave();
  while (!server.logged.some((line) => line.includes("event stream ended"))) await new Promise(setImmediate);
  assert.equal((await open(owner)).answer.statusCode, 200);
});

test("GRAPH-15: HEAD returns a stream's headers only, other methods are 405", async (t) => {
  const { owner } = await setUp(t);
  const path = `/workspaces/${workspace}/events`;
  const head = await owner.session.call("HEAD", path);
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal(head.headers["content-type"], "text/event-stream; charset=utf-8");
  const post = await owner.session.call("POST", path);
  assert.deepEqual([post.status, post.headers.allow], [405, "GET, HEAD, OPTIONS"]);
});

test("SIGN-8: a credential in the URL opens no stream", async (t) => {
  const { owner, server } = await setUp(t);
  const url = `/api/provider-graph/workspaces/${workspace}/events?access_token=${owner.tokens.access}`;
  const answer = await server.app.inject({ method: "GET", url });
  assert.equal(answer.statusCode, 401);
});
