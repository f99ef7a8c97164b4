import assert from "node:assert/strict";
import { test } from "node:test";
import { Graphs } from "../../graphs/graphs.ts";
import { describeWorkspace } from "../../operations/workspaces.ts";
import { finishSync, setNeedsReauth, setSyncProgress } from "../../store/queries/connections.ts";
import { referenceTo } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const pages = [
  { number: 1, references: [referenceTo(2), referenceTo(2, { type: "mention" }), referenceTo(9)] },
  { number: 2, given: { parentId: "00000000-0000-0000-0000-000000000001" } },
];

test("GRAPH-1: a workspace shows the size and age of its graph", async (t) => {
  const server = await serveGraphs(t);
  const { database, clock } = server.fixture;
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace, pages);
  const began = new Date(clock()).toISOString();
  await database.transaction((trx) =>
    setSyncProgress(trx, id, { state: "running", phase: "content", done: 1, total: 2, startedAt: clock() }),
  );
  assert.deepEqual((await owner.session.get("/workspaces/")).body, {
    items: [
      {
        id: workspace,
        provider: "notion",
        name: "A workspace",
        icon: null,
        status: "active",
        nodes: 2,
        edges: 3,
        sync: {
          state: "running",
          phase: "content",
          done: 1,
          total: 2,
          started_at: began,
          finished_at: null,
          error: null,
          outcome: null,
          waiting_until: null,
          failed: [],
          failed_total: 0,
        },
        tags: null,
        last_synced_at: null,
        complete_as_of: null,
        edits_as_of: null,
      },
    ],
  });

  clock.advance(5000);
  await database.transaction((trx) =>
    finishSync(trx, id, { startedAt: clock(), now: clock(), isComplete: true }),
  );
  const [done] = (await owner.session.get("/workspaces/")).body.items;
  assert.equal(done.last_synced_at, new Date(clock()).toISOString());
  assert.deepEqual(
    [done.sync.state, done.sync.phase, done.sync.finished_at],
    ["idle", null, done.last_synced_at],
  );

  await database.transaction((trx) => setNeedsReauth(trx, id, clock()));
  assert.equal((await owner.session.get("/workspaces/")).body.items[0].status, "needs_reauth");
});

test("GRAPH-1: both APIs show how the last sync ended, and when the graph was last complete", async (t) => {
  const server = await serveGraphs(t);
  const { database, clock } = server.fixture;
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace] });
  const end = (isComplete: boolean) => {
    clock.advance(60_000);
    return database.transaction((trx) =>
      finishSync(trx, id, { startedAt: clock(), now: clock(), isComplete }),
    );
  };
  const shown = async () => {
    const [v1] = (await token.get("/workspaces/")).body.items;
    assert.deepEqual((await owner.session.get("/workspaces/")).body.items, [v1]);
    return [v1.sync.outcome, v1.last_synced_at, v1.complete_as_of];
  };
  assert.deepEqual(await shown(), [null, null, null]);

  await end(false);
  const first = new Date(clock()).toISOString();
  assert.deepEqual(await shown(), ["incomplete", first, null]);
  await end(true);
  const whole = new Date(clock()).toISOString();
  assert.deepEqual(await shown(), ["complete", whole, whole]);
  await end(false);
  const latest = new Date(clock()).toISOString();
  assert.deepEqual(await shown(), ["incomplete", latest, whole]);

  await database.transaction((trx) => setSyncProgress(trx, id, { state: "running" }));
  assert.deepEqual(await shown(), ["incomplete", latest, whole], "a sync under way has no outcome yet");
  await database.transaction((trx) => setSyncProgress(trx, id, { state: "failed", outcome: "failed" }));
  assert.deepEqual(await shown(), ["failed", latest, whole]);
});

test("GRAPH-1: a workspace shows the same size before and after its graph is loaded", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  const { database, clock } = server.fixture;
  const services = {
    database,
    graphs: new Graphs({ database, clock }),
    editTimes: { editsAsOf: () => null },
    hasTags: () => false,
  };
  const session = { kind: "session", sessionId: "", issuedAt: 0, expiresAt: 0 } as const;
  const reader = { ...owner, ...session, connections: [connection] };
  const before = await describeWorkspace(services, connection, reader);
  await services.graphs.current(connection);
  assert.deepEqual(await describeWorkspace(services, connection, reader), before);
  assert.deepEqual([before.nodes, before.edges], [2, 3]);
});

test("GRAPH-1: a token sees those of its workspaces that its owner is still connected to", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const colleague = await server.person("colleague");
  const first = await owner.connect(workspace);
  await owner.connect(other);
  const third = "33333333-3333-4333-8333-333333333333";
  await colleague.connect(third);
  const idsOf = async (bearer: typeof owner.session) =>
    (await bearer.get("/workspaces/")).body.items.map(({ id }: { id: string }) => id);

  const token = await owner.token({ workspaceIds: [third, workspace] });
  assert.deepEqual(await idsOf(token), [workspace]);
  assert.deepEqual(await idsOf(owner.session), [workspace, other]);
  await server.disconnect(first);
  assert.deepEqual(await idsOf(token), []);
  assert.deepEqual(await idsOf(owner.session), [other]);
});

test("SYNC-8: after the grace period a workspace is shown only to the user who connected it, not to tokens", async (t) => {
  const server = await serveGraphs(t);
  const { database, clock } = server.fixture;
  const owner = await server.person("owner");
  const { id } = await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace] });
  await database.transaction((trx) => setNeedsReauth(trx, id, clock() - 8 * 24 * 3_600_000));
  const [item] = (await owner.session.get("/workspaces/")).body.items;
  assert.deepEqual([item.id, item.status], [workspace, "needs_reauth"]);
  assert.deepEqual((await token.get("/workspaces/")).body.items, []);
  assert.deepEqual((await owner.session.get("/search/?q=x")).body.items, []);
});

test("a workspace that was never synced is readable and empty", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace);
  const [item] = (await owner.session.get("/workspaces/")).body.items;
  assert.deepEqual([item.nodes, item.edges, item.sync.state, item.last_synced_at], [0, 0, "queued", null]);
  assert.deepEqual((await owner.session.get("/search/?q=x")).body, {
    items: [],
    next_cursor: null,
    total: null,
    unfiltered_total: null,
  });
  assert.deepEqual((await owner.session.get("/nodes/?ids=00000000000000000000000000000001")).body.items, []);
});
