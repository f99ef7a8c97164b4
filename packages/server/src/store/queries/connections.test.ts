import assert from "node:assert/strict";
import { test } from "node:test";
import { everybody, onLists } from "../../model/testing/allow-lists.ts";
import { readGraph } from "../testing/read-graph.ts";
import { page, scratchDatabase, someConnection, someUser } from "../testing/scratch.ts";
import {
  connectionsDue,
  connectionsOf,
  connectionsOfWorkspace,
  findConnection,
  finishEdits,
  finishSync,
  publishRevision,
  sealedGrant,
  sealedGrantsAfter,
  setNeedsReauth,
  setSyncProgress,
  staleConnections,
  storedBytesOf,
  upsertConnection,
} from "./connections.ts";
import { upsertNodes } from "./graph-pages.ts";
import { upsertUser } from "./users.ts";

const grant = {
  workspaceId: "workspace",
  name: "Labyrinth",
  icon: "🧶",
  provider: "some",
  grantId: "grant-1",
  accessToken: Buffer.of(1, 2, 3),
  refreshToken: Buffer.of(4, 5),
};

test("SIGN-3: a granted workspace is an active connection that waits for its first sync", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const connection = await database.transaction((trx) => upsertConnection(trx, { ...grant, userId }, 1000));
  assert.deepEqual(connection, {
    id: connection.id,
    userId,
    provider: "some",
    grantedEmail: null,
    workspaceId: "workspace",
    name: "Labyrinth",
    icon: "🧶",
    status: "active",
    tags: false,
    withdrawnAt: null,
    lastSyncedAt: null,
    completeAsOf: null,
    editsAsOf: null,
    sweptAt: null,
    publishedRevision: 0,
    sync: {
      state: "queued",
      phase: null,
      done: 0,
      total: null,
      startedAt: null,
      finishedAt: null,
      error: null,
      outcome: null,
      waitingUntil: null,
    },
  });
  assert.deepEqual(await findConnection(database.read, connection.id), connection);
  assert.deepEqual(await sealedGrant(database.read, connection.id), {
    userId,
    workspaceId: "workspace",
    accessToken: grant.accessToken,
    refreshToken: grant.refreshToken,
  });
});

test("SIGN-5: authorising a workspace again replaces the grant, keeps the graph and doubles nothing", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const first = await database.transaction((trx) => upsertConnection(trx, { ...grant, userId }, 1000));
  await database.transaction(async (trx) => {
    await upsertNodes(trx, first.id, [page(1)]);
    await publishRevision(trx, first.id, 1);
    await finishSync(trx, first.id, { startedAt: 1500, now: 1500, isComplete: true });
    await setNeedsReauth(trx, first.id, 1700);
    await setSyncProgress(trx, first.id, { state: "failed", done: 3, total: 4, error: "withdrawn" });
  });

  const renewed = { ...grant, userId, name: "Maze", accessToken: Uint8Array.of(9), refreshToken: null };
  const second = await database.transaction((trx) => upsertConnection(trx, renewed, 2000));
  assert.equal(second.id, first.id);
  assert.equal(second.name, "Maze");
  assert.equal(second.status, "active");
  assert.equal(second.withdrawnAt, null);
  assert.equal(second.lastSyncedAt, 1500);
  assert.equal(second.publishedRevision, 1);
  assert.equal(second.sync.state, "queued");
  assert.equal(second.sync.done, 0);
  assert.equal(second.sync.error, null);
  assert.deepEqual(await connectionsOf(database.read, userId), [second]);
  assert.equal((await readGraph(database.read, first.id)).nodes.length, 1);
  const stored = await sealedGrant(database.read, first.id);
  assert.deepEqual(stored?.accessToken, Buffer.of(9));
  assert.equal(stored?.refreshToken, null);
});

test("connectionsOf: the user's own connections, oldest first", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const mine = [await someConnection(database, userId), await someConnection(database, userId)];
  await someConnection(database);
  const found = await connectionsOf(database.read, userId);
  assert.deepEqual(
    found.map(({ id }) => id),
    mine,
  );
  assert.deepEqual(await connectionsOf(database.read, "nobody"), []);
});

test("setSyncProgress: what is left out stays, null is written", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const set = (progress: Parameters<typeof setSyncProgress>[2]) =>
    database.transaction((trx) => setSyncProgress(trx, id, progress));
  await set({ state: "running", phase: "content", done: 5, total: 10, startedAt: 100 });
  await set({ state: "waiting", total: null });
  assert.deepEqual((await findConnection(database.read, id))?.sync, {
    state: "waiting",
    phase: "content",
    done: 5,
    total: null,
    startedAt: 100,
    finishedAt: null,
    error: null,
    outcome: null,
    waitingUntil: null,
  });
  await set({});
  assert.equal((await findConnection(database.read, id))?.sync.state, "waiting");
});

test("finishSync: the connection rests and is as of now", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await setSyncProgress(trx, id, { state: "running", phase: "content", done: 10, total: 10, error: "odd" });
    await finishSync(trx, id, { startedAt: 3000, now: 3000, isComplete: true });
  });
  const connection = await findConnection(database.read, id);
  assert.equal(connection?.lastSyncedAt, 3000);
  assert.deepEqual(connection?.sync, {
    state: "idle",
    phase: null,
    done: 10,
    total: 10,
    startedAt: null,
    finishedAt: 3000,
    error: null,
    outcome: "complete",
    waitingUntil: null,
  });
});

test("SYNC-8: the time at which a grant was found withdrawn does not change", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  for (const now of [1000, 2000]) await database.transaction((trx) => setNeedsReauth(trx, id, now));
  const connection = await findConnection(database.read, id);
  assert.equal(connection?.status, "needs_reauth");
  assert.equal(connection?.withdrawnAt, 1000);
});

test("publishRevision: the current graph is served from now on", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1)]));
  assert.equal((await findConnection(database.read, id))?.publishedRevision, 0);
  const revision = await database.transaction((trx) => publishRevision(trx, id, 1));
  assert.equal(revision, (await readGraph(database.read, id)).revision);
  assert.equal((await findConnection(database.read, id))?.publishedRevision, revision);
});

test("a removed connection is not found and not written to, and its id is never used again", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const id = await someConnection(database, userId);
  await database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());

  await database.transaction(async (trx) => {
    await setSyncProgress(trx, id, { state: "running" });
    await finishSync(trx, id, { startedAt: 1, now: 1, isComplete: true });
    await setNeedsReauth(trx, id, 1);
  });
  await assert.rejects(
    database.transaction((trx) => publishRevision(trx, id, 1)),
    /gone/,
  );
  assert.equal(await findConnection(database.read, id), null);
  assert.equal(await sealedGrant(database.read, id), null);
  assert.deepEqual(await connectionsOf(database.read, userId), []);
  assert.ok((await someConnection(database, userId)) > id);
});

test("SIGN-10, SYNC-9: news of a workspace are for its active connections, of people on the lists", async (t) => {
  const { database } = await scratchDatabase(t);
  const connect = async (email: string, other: Partial<typeof grant> = {}) => {
    const person = {
      newId: email,
      provider: "some",
      providerUserId: email,
      name: null,
      email,
      avatarUrl: null,
    };
    return database.transaction(async (trx) => {
      await upsertUser(trx, person, 1);
      return (await upsertConnection(trx, { ...grant, ...other, userId: email }, 1)).id;
    });
  };
  const [ann, ben, cy] = [
    await connect("ann@a.example"),
    await connect("ben@a.example"),
    await connect("cy@a.example"),
  ];
  await connect("di@a.example", { workspaceId: "another" });
  await connect("ed@a.example", { provider: "notion" });
  await database.transaction((trx) => setNeedsReauth(trx, cy, 1));
  const found = (lists: Parameters<typeof onLists>[0]) =>
    connectionsOfWorkspace(database.read, {
      provider: "some",
      workspaceId: "workspace",
      allowed: onLists(lists),
    });
  assert.deepEqual(await found({ workspaces: ["workspace"] }), [ann, ben]);
  assert.deepEqual(await found({ emails: ["ben@a.example"] }), [ben]);
  assert.deepEqual(await found({}), []);
});

test("SIGN-8: grants are read in parts, in the order of their connections", async (t) => {
  const { database } = await scratchDatabase(t);
  const ids = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ];
  const after = async (id: number, limit: number) =>
    (await sealedGrantsAfter(database.read, id, limit)).map((grant) => grant.id);
  assert.deepEqual(await after(0, 2), ids.slice(0, 2));
  assert.deepEqual(await after(ids[1] ?? 0, 2), ids.slice(2));
  assert.deepEqual(await after(ids[2] ?? 0, 2), []);
});

test("SYNC-9: of connections that are due, the one comes first whose last sync ended first, then the oldest", async (t) => {
  const { database } = await scratchDatabase(t);
  const ids: number[] = [];
  for (let index = 0; index < 4; index += 1) ids.push(await someConnection(database));
  const [one = 0, two = 0, three = 0, four = 0] = ids;
  await database.transaction(async (trx) => {
    for (const [id, now] of [
      [four, 10],
      [three, 20],
      [two, 10],
      [one, 20],
    ] as const)
      await finishSync(trx, id, { startedAt: 1, now, isComplete: true });
  });
  const due = (endedBefore: number) => connectionsDue(database.read, { allowed: everybody, endedBefore });
  assert.deepEqual(
    [await due(20), await due(19)],
    [
      [two, four, one, three],
      [two, four],
    ],
  );
});

test("OPS-9: a connection that stores nothing, or is gone, stores no bytes", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  assert.deepEqual([await storedBytesOf(database.read, id), await storedBytesOf(database.read, 999)], [0, 0]);
});

test("SYNC-11: after a reading of edits a connection is as its last whole sync left it", async (t) => {
  const { database } = await scratchDatabase(t);
  const ids = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ];
  const [complete = 0, failed = 0] = ids;
  const read = { state: "running", phase: "content", done: 2, total: 3, waitingUntil: 99 } as const;
  await database.transaction(async (trx) => {
    await finishSync(trx, complete, { startedAt: 10, now: 20, isComplete: true });
    const failure = { finishedAt: 30, outcome: "failed", error: "odd" } as const;
    await setSyncProgress(trx, failed, failure);
    for (const id of ids) await setSyncProgress(trx, id, read);
  });
  const found = async () => {
    const connections = await Promise.all(ids.map((id) => findConnection(database.read, id)));
    return connections.map((connection) => {
      assert.ok(connection);
      const { state, phase, outcome, error, finishedAt, waitingUntil } = connection.sync;
      const { editsAsOf, completeAsOf } = connection;
      return { state, phase, outcome, error, finishedAt, waitingUntil, editsAsOf, completeAsOf };
    });
  };
  const [, , untouched] = await found();
  const finish = (startedAt: number | null) =>
    database.transaction(async (trx) => {
      for (const id of [complete, failed]) await finishEdits(trx, id, startedAt);
    });
  const rests = { phase: null, waitingUntil: null, editsAsOf: 40 };
  const expected = [
    { ...rests, state: "idle", outcome: "complete", error: null, finishedAt: 20, completeAsOf: 10 },
    { ...rests, state: "failed", outcome: "failed", error: "odd", finishedAt: 30, completeAsOf: null },
    untouched,
  ];
  await finish(40);
  assert.deepEqual(await found(), expected);
  await finish(null);
  assert.deepEqual(await found(), expected, "a reading that missed something is as of no later time");
  assert.equal(untouched?.state, "running");
});

test("OPS-2: active connections are stale that were never synced, or not since a time", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const ids: number[] = [];
  for (let index = 0; index < 4; index += 1) ids.push(await someConnection(database, userId));
  const [never = 0, early = 0, late = 0, withdrawn = 0] = ids;
  await database.transaction(async (trx) => {
    await finishSync(trx, early, { startedAt: 9, now: 10, isComplete: true });
    await finishSync(trx, late, { startedAt: 19, now: 20, isComplete: false });
    await setNeedsReauth(trx, withdrawn, 5);
  });
  const idOf = new Map(
    (await connectionsOf(database.read, userId)).map(({ id, workspaceId }) => [workspaceId, id]),
  );
  const stale = async (endedBefore: number | null) =>
    (await staleConnections(database.read, { endedBefore })).map(({ workspaceId, lastSyncedAt }) => [
      idOf.get(workspaceId),
      lastSyncedAt,
    ]);
  assert.deepEqual(await stale(null), [[never, null]]);
  assert.deepEqual(await stale(10), [[never, null]]);
  assert.deepEqual(await stale(11), [
    [never, null],
    [early, 10],
  ]);
  assert.deepEqual(await stale(21), [
    [never, null],
    [early, 10],
    [late, 20],
  ]);
});
