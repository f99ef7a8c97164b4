import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsOf, setNeedsReauth } from "../store/queries/connections.ts";
import { expireWithdrawn } from "./expire-withdrawn.ts";
import { createRemovalStage } from "./testing/removal.ts";

const day = 24 * 60 * 60_000;

test("SYNC-8: 30 days after a grant was withdrawn its connection goes, unless it was renewed", async (t) => {
  const { parts, user, connect, time, database, abandoned } = await createRemovalStage(t);
  const ann = await user();
  const [withdrawn, renewed] = [await connect(ann, "w1"), await connect(ann, "w2")];
  await connect(ann, "w3");
  await database.transaction(async (trx) => {
    for (const { id } of [withdrawn, renewed]) await setNeedsReauth(trx, id, time.now);
  });
  time.now += 30 * day - 1;
  await connect(ann, "w2");
  await expireWithdrawn(parts);
  assert.equal((await connectionsOf(database.read, ann)).length, 3);
  time.now += 1;
  await expireWithdrawn(parts);
  const left = await connectionsOf(database.read, ann);
  assert.deepEqual(
    left.map(({ workspaceId }) => workspaceId),
    ["w2", "w3"],
  );
  assert.deepEqual(abandoned, [withdrawn.id]);
});
