import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsOf } from "../store/queries/connections.ts";
import { findUser } from "../store/queries/users.ts";
import { clearRemoved } from "./clear-removed.ts";
import { deleteAccount } from "./delete-account.ts";
import { createRemovalStage } from "./testing/removal.ts";

test("SESS-9: an account goes with its sessions, tokens, grants and graphs, and nobody else's", async (t) => {
  const { parts, user, connect, session, token, tokens, rows, abandoned, graphs, database } =
    await createRemovalStage(t);
  const [ann, ben] = [await user(), await user()];
  const gone = [await connect(ann, "w1"), await connect(ann, "w2")];
  await connect(ben, "w1");
  for (const person of [ann, ben]) {
    await session(`session of ${person}`, person);
    await token(person, ["w1"]);
  }
  await deleteAccount(parts, ann);

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

test("SESS-9: to delete an account that is gone does nothing", async (t) => {
  const { parts, user, rows } = await createRemovalStage(t);
  await user();
  await deleteAccount(parts, "somebody");
  assert.equal(await rows("users"), 1);
});
