import assert from "node:assert/strict";
import { test } from "node:test";
import { page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { removeNodes, upsertNodes } from "./graph-pages.ts";
import { deleteEmptied, deleteSomeRemoved, removeConnection } from "./removed-connections.ts";

test("GRAPH-15: the rows of a removed connection are deleted in parts, those of others stay, and it goes last", async (t) => {
  const { database } = await scratchDatabase(t);
  const [other, removed] = [await someConnection(database), await someConnection(database)];
  for (const [id, first] of [
    [other, 1],
    [removed, 4],
  ] as const)
    await database.transaction(async (trx) => {
      const pages = Array.from({ length: 6 }, (_, number) => page(first + number));
      await upsertNodes(trx, id, pages);
      const gone = pages.slice(0, 3).map((each) => each.id);
      await removeNodes(trx, id, gone, 1);
    });
  const countOf = async (table: "nodes" | "tombstones", id: number) =>
    (await database.read.selectFrom(table).select("connection_id").where("connection_id", "=", id).execute())
      .length;
  const isThere = async () =>
    (await database.read.selectFrom("connections").select("id").where("id", "=", removed).execute()).length;
  await database.transaction((trx) => removeConnection(trx, removed, 5));
  const emptied = () => database.transaction((trx) => deleteEmptied(trx, 5));
  const step = () => database.transaction((trx) => deleteSomeRemoved(trx, 2));

  for (const left of [
    [1, 3],
    [0, 3],
    [0, 1],
    [0, 0],
  ]) {
    assert.equal(await emptied(), 0);
    assert.equal(await step(), true);
    assert.deepEqual([await countOf("nodes", removed), await countOf("tombstones", removed)], left);
  }
  assert.equal(await step(), false);
  assert.equal(await database.transaction((trx) => deleteEmptied(trx, 4)), 0, "it was removed later");
  assert.equal(await isThere(), 1);
  assert.equal(await emptied(), 1);
  assert.equal(await isThere(), 0);
  assert.deepEqual([await countOf("nodes", other), await countOf("tombstones", other)], [3, 3]);
});
