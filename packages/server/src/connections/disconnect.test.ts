import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf } from "../auth/testing/actor.ts";
import { listAudit } from "../store/queries/audit.ts";
import { connectionsOf, findConnection, publishRevision } from "../store/queries/connections.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { clearRemoved } from "./clear-removed.ts";
import { disconnect } from "./disconnect.ts";
import { createRemovalStage } from "./testing/removal.ts";

const at = (userId: string) => actorOf({ userId, sessionId: "a session" });

const never = new AbortController().signal;

test("GRAPH-15: what is disconnected is nobody's at once, and its sync and graph are let go", async (t) => {
  const { parts, user, connect, abandoned, graphs, database, rows } = await createRemovalStage(t);
  const [ann, ben] = [await user(), await user()];
  const gone = await connect(ann, "w1");
  const kept = [await connect(ann, "w2"), await connect(ben, "w1")];
  assert.equal(await disconnect(parts, at(ann), "w1"), true);

  assert.deepEqual(abandoned, [gone.id]);
  assert.equal(graphs.loaded(gone), null);
  assert.equal(await findConnection(database.read, gone.id), null);
  const left = [...(await connectionsOf(database.read, ann)), ...(await connectionsOf(database.read, ben))];
  assert.deepEqual(left, kept);
  for (const connection of kept) assert.equal((await graphs.current(connection)).graph.nodeCount, 2);
  assert.equal(await rows("sync_jobs"), 2);
  await assert.rejects(
    database.transaction((trx) => publishRevision(trx, gone.id)),
    /gone/,
  );
  assert.equal(await disconnect(parts, at(ann), "w1"), false);
  assert.equal(await disconnect(parts, at(ann), "elsewhere"), false);
});

test("GRAPH-15: the workspace leaves every service token of its user for good", async (t) => {
  const { parts, user, connect, token, tokens, time } = await createRemovalStage(t);
  const [ann, ben] = [await user(), await user()];
  for (const [person, id] of [
    [ann, "w1"],
    [ann, "w2"],
    [ben, "w1"],
  ] as const)
    await connect(person, id);
  const [both, alone, other] = [
    await token(ann, ["w1", "w2"]),
    await token(ann, ["w1"]),
    await token(ben, ["w1"]),
  ];
  await disconnect(parts, at(ann), "w1");
  await connect(ann, "w1");
  assert.deepEqual((await tokens(ann)).get(both), { workspaceIds: ["w2"], revokedAt: null });
  assert.deepEqual((await tokens(ann)).get(alone), { workspaceIds: [], revokedAt: time.now });
  assert.deepEqual((await tokens(ben)).get(other), { workspaceIds: ["w1"], revokedAt: null });
});

test("GRAPH-15: connecting again begins afresh, also while the graph of before is still being deleted", async (t) => {
  const { parts, user, connect, database, rows } = await createRemovalStage(t);
  const ann = await user();
  const before = await connect(ann, "w1");
  await disconnect(parts, at(ann), "w1");
  const after = await connect(ann, "w1");
  assert.notEqual(after.id, before.id);
  assert.equal(await rows("nodes"), 4);
  await clearRemoved(database, never);
  assert.equal(await rows("nodes"), 2);
  assert.equal(await rows("connections"), 1);
  assert.equal((await readGraph(database.read, after.id)).nodes.length, 2);
});

test("GRAPH-15: a grant that cannot be opened keeps nobody from disconnecting", async (t) => {
  const { parts, user, connect, database, rows, logged } = await createRemovalStage(t);
  const ann = await user();
  const { id } = await connect(ann, "w1");
  const access_token = Uint8Array.of(1, 2, 3);
  await database.transaction((trx) =>
    trx.updateTable("connections").set({ access_token }).where("id", "=", id).execute(),
  );
  assert.equal(await disconnect(parts, at(ann), "w1"), true);
  assert.equal(await rows("revocations"), 0);
  assert.match(logged.join(), /cannot be given back/);
});

test("TOK-12: a disconnection is a line: which workspace, in which session, from where", async (t) => {
  const stage = await createRemovalStage(t);
  const ann = await stage.user();
  await stage.connect(ann, "w1");
  await disconnect(stage.parts, at(ann), "w1");
  await disconnect(stage.parts, at(ann), "w1");
  const lines = await listAudit(stage.database.read, ann, { limit: 10 });
  assert.deepEqual(
    lines.map(({ event, workspaceId, sessionId, address }) => [event, workspaceId, sessionId, address]),
    [["workspace_disconnected", "w1", "a session", "192.0.2.7"]],
  );
});
