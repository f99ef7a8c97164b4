import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { removeNodes, upsertNodes } from "./graph-pages.ts";
import { removalsSince } from "./recent-changes.ts";

test("GRAPH-29: removals are listed in parts, the latest first, and those of one time by their ids", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const other = await someConnection(database);
  await database.transaction(async (trx) => {
    for (const connection of [id, other])
      await upsertNodes(
        trx,
        connection,
        [1, 2, 3, 4].map((n) => page(n)),
      );
  });
  const remove = (connection: number, numbers: readonly number[], at: number) =>
    database.transaction((trx) => removeNodes(trx, connection, numbers.map(nodeId), at));
  await remove(id, [4], 10);
  await remove(id, [1, 3, 2], 20);
  await remove(other, [1], 30);
  const upTo = Number.MAX_SAFE_INTEGER;
  const part = async (
    since: number,
    limit: number,
    after: Parameters<typeof removalsSince>[2]["after"] = null,
  ) => removalsSince(database.read, id, { since, upTo, after, limit });
  const first = await part(0, 2);
  assert.deepEqual(first, [
    { nodeId: nodeId(1), at: 20 },
    { nodeId: nodeId(2), at: 20 },
  ]);
  assert.deepEqual(await part(0, 2, first.at(-1) ?? null), [
    { nodeId: nodeId(3), at: 20 },
    { nodeId: nodeId(4), at: 10 },
  ]);
  assert.equal((await part(11, 9)).length, 3);
  assert.equal((await part(0, 9, { nodeId: nodeId(4), at: 10 })).length, 0);
});
