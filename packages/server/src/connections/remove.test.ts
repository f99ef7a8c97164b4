import assert from "node:assert/strict";
import { test } from "node:test";
import { actorOf } from "../model/testing/actor.ts";
import { listAudit } from "../store/queries/audit.ts";
import {
  connectionsOf,
  findConnection,
  publishRevision,
  setNeedsReauth,
} from "../store/queries/connections.ts";
import { findUser } from "../store/queries/users.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { clearRemoved, deleteAccount, disconnect, expireWithdrawn } from "./remove.ts";
import { createRemovalFixture } from "./testing/removal.ts";

const at = (userId: string) => actorOf({ userId, sessionId: "a session" });

const never = new AbortController().signal;

test("GRAPH-15: a disconnection takes effect at once, and ends the sync and drops the graph", async (t) => {
  const { services, user, connect, abandoned, graphs, database, rows } = await createRemovalFixture(t);
  const [ann, ben] = [await user(), await user()];
  const gone = await connect(ann, "w1");
  const kept = [await connect(ann, "w2"), await connect(ben, "w1")];
  assert.equal(await disconnect(services, at(ann), "w1"), true);

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
  assert.equal(await disconnect(services, at(ann), "w1"), false);
  assert.equal(await disconnect(services, at(ann), "elsewhere"), false);
});

test("GRAPH-15: the workspace is removed from every service token of its user permanently", async (t) => {
  const { services, user, connect, token, tokens, time } = await createRemovalFixture(t);
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
  await disconnect(services, at(ann), "w1");
  await connect(ann, "w1");
  assert.deepEqual((await tokens(ann)).get(both), { workspaceIds: ["w2"], revokedAt: null });
  assert.deepEqual((await tokens(ann)).get(alone), { workspaceIds: [], revokedAt: time.now });
  assert.deepEqual((await tokens(ben)).get(other), { workspaceIds: ["w1"], revokedAt: null });
});

test("GRAPH-15: connecting again starts from scratch, even while the old graph is being deleted", async (t) => {
  const { services, user, connect, database, rows } = await createRemovalFixture(t);
  const ann = await user();
  const before = await connect(ann, "w1");
  await disconnect(services, at(ann), "w1");
  const after = await connect(ann, "w1");
  assert.notEqual(after.id, before.id);
  assert.equal(await rows("nodes"), 4);
  await clearRemoved(database, never);
  assert.equal(await rows("nodes"), 2);
  assert.equal(await rows("connections"), 1);
  assert.equal((await readGraph(database.read, after.id)).nodes.length, 2);
});

test("GRAPH-15: a grant that cannot be decrypted does not prevent a disconnection", async (t) => {
  const { services, user, connect, database, rows, logged } = await createRemovalFixture(t);
  const ann = await user();
  const { id } = await connect(ann, "w1");
  const access_token = Uint8Array.of(1, 2, 3);
  await database.transaction((trx) =>
    trx.updateTable("connections").set({ access_token }).where("id", "=", id).execute(),
  );
  assert.equal(await disconnect(services, at(ann), "w1"), true);
  assert.equal(await rows("revocations"), 0);
  assert.match(logged.join(), /cannot revoke the grant/);
});

test("TOK-12: a disconnection is one line, with workspace, session and address", async (t) => {
  const fixture = await createRemovalFixture(t);
  const ann = await fixture.user();
  await fixture.connect(ann, "w1");
  await disconnect(fixture.services, at(ann), "w1");
  await disconnect(fixture.services, at(ann), "w1");
  const lines = await listAudit(fixture.database.read, ann, { limit: 10 });
  assert.deepEqual(
    lines.map(({ event, workspaceId, sessionId, address }) => [event, workspaceId, sessionId, address]),
    [["workspace_disconnected", "w1", "a session", "192.0.2.7"]],
  );
});

test("SESS-9: deleting an account deletes its sessions, tokens, grants and graphs, and no others", async (t) => {
  const { services, user, connect, session, token, tokens, rows, abandoned, graphs, database } =
    await createRemovalFixture(t);
  const [ann, ben] = [await user(), await user()];
  const gone = [await connect(ann, "w1"), await connect(ann, "w2")];
  await connect(ben, "w1");
  for (const person of [ann, ben]) {
    await session(`session of ${person}`, person);
    await token(person, ["w1"]);
  }
  await deleteAccount(services, ann);

  assert.equal(await findUser(database.read, ann), null);
  assert.deepEqual(await connectionsOf(database.read, ann), []);
  assert.equal((await tokens(ann)).size, 0);
  assert.equal((await tokens(ben)).size, 1);
  assert.equal(await rows("sessions"), 1);
  assert.equal(await rows("sync_jobs"), 1);
  assert.equal(await rows("revocations"), 2);
  assert.deepEqual(abandoned.sort(), gone.map(({ id }) => id).sort());
  for (const connection of gone) assert.equal(graphs.loaded(connection), null);
  await clearRemoved(database, new AbortController().signal);
  assert.equal(await rows("connections"), 1);
  assert.equal(await rows("nodes"), 2);
});

test("SESS-9: deleting a deleted account does nothing", async (t) => {
  const { services, user, rows } = await createRemovalFixture(t);
  await user();
  await deleteAccount(services, "unknown");
  assert.equal(await rows("users"), 1);
});

const day = 24 * 60 * 60_000;

test("SYNC-8: a connection is deleted 30 days after its grant was withdrawn, unless renewed", async (t) => {
  const { services, user, connect, time, database, abandoned } = await createRemovalFixture(t);
  const ann = await user();
  const [withdrawn, renewed] = [await connect(ann, "w1"), await connect(ann, "w2")];
  await connect(ann, "w3");
  await database.transaction(async (trx) => {
    for (const { id } of [withdrawn, renewed]) await setNeedsReauth(trx, id, time.now);
  });
  time.now += 30 * day - 1;
  await connect(ann, "w2");
  await expireWithdrawn(services, 30 * 86_400_000);
  assert.equal((await connectionsOf(database.read, ann)).length, 3);
  time.now += 1;
  await expireWithdrawn(services, 30 * 86_400_000);
  const left = await connectionsOf(database.read, ann);
  assert.deepEqual(
    left.map(({ workspaceId }) => workspaceId),
    ["w2", "w3"],
  );
  assert.deepEqual(abandoned, [withdrawn.id]);
});
