import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reference } from "@clew/graph";
import { nodeId, page, referenceTo, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent, setPropertyReferences } from "../testing/write-graph.ts";
import { graphRevision } from "./changes.ts";
import { upsertCollections } from "./containers.ts";
import { upsertNodes } from "./graph-pages.ts";
import {
  nodesWithOtherReferences,
  offsetsOf,
  redirectToDatabases,
  referencesOf,
  saveTargetNames,
  targetsOf,
} from "./references.ts";

const collection = nodeId(90);

test("SYNC-1: references to a collection become references to the database that has it in the same graph", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  const databases = new Map([
    [id, 4],
    [other, 5],
  ]);
  for (const [connection, number] of databases)
    await database.transaction(async (trx) => {
      await upsertNodes(trx, connection, [page(1), page(2), page(number, { type: "database" })]);
      await saveContent(trx, connection, nodeId(1), {
        markdown: "To the rows",
        references: [referenceTo(90), referenceTo(2)],
        state: "ready",
      });
      await setPropertyReferences(trx, connection, nodeId(2), [referenceTo(1)]);
      const columns = null;
      await upsertCollections(trx, connection, [{ id: collection, databaseId: nodeId(number), columns }]);
    });
  const targets = (connection: number) =>
    targetsOf(database.read, connection, { nodeId: nodeId(1), source: "text" });
  const revisionOf = (connection: number) => graphRevision(database.read, connection);
  const [before, untouched] = [(await revisionOf(id)) ?? 0, await revisionOf(other)];
  await database.transaction((trx) => redirectToDatabases(trx, id));
  assert.deepEqual(await targets(id), new Set([nodeId(4), nodeId(2)]));
  assert.deepEqual(await targets(other), new Set([collection, nodeId(2)]));
  assert.deepEqual([await revisionOf(id), await revisionOf(other)], [before + 1, untouched]);
  const rows = await database.read
    .selectFrom("nodes")
    .select("id")
    .where("connection_id", "=", id)
    .where("references_revision", "=", before + 1)
    .execute();
  assert.equal(rows.length, 1, "one node refers to another target");
  await database.transaction((trx) => redirectToDatabases(trx, id));
  assert.equal(await revisionOf(id), before + 1, "there is nothing left to redirect");
});

test("GRAPH-4: each reference of a text gets the first name that the text gives to its target", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const mention = { type: "mention" } as const;
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1), page(2)]);
    for (const number of [1, 2])
      await saveContent(trx, id, nodeId(number), {
        markdown: "Text",
        references: [
          referenceTo(7, { targetName: "Kept" }),
          referenceTo(8, { targetName: "Old" }),
          referenceTo(8, mention),
          referenceTo(9),
        ],
        state: "ready",
      });
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(9), referenceTo(8), referenceTo(7)]);
    const named = [
      referenceTo(8, { targetName: "New" }),
      referenceTo(8, { targetName: "Later" }),
      referenceTo(8, { ...mention, targetName: "Mentioned" }),
      referenceTo(9),
    ];
    await saveTargetNames(trx, id, new Map([[nodeId(1), named]]));
  });
  const names = async (number: number, source: "text" | "properties" = "text") =>
    (await referencesOf(database.read, id, { nodeId: nodeId(number), source })).map(
      ({ targetName }) => targetName,
    );
  assert.deepEqual(await names(1), ["Kept", "New", "Mentioned", undefined]);
  assert.deepEqual(await names(1, "properties"), [undefined, undefined, undefined]);
  assert.deepEqual(await names(2), ["Kept", "Old", undefined, undefined]);
});

test("GRAPH-11: references are others if their order, their number or their name is another", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const [first, second] = [referenceTo(8), referenceTo(9, { name: "Blocks", type: "relation" })];
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1)]);
    await setPropertyReferences(trx, id, nodeId(1), [first, second]);
  });
  const differs = async (...references: readonly Reference[]) => {
    const held = new Map([[nodeId(1), references]]);
    return (await nodesWithOtherReferences(database.read, id, "properties", held)).has(nodeId(1));
  };
  assert.equal(await differs(first, second), false);
  assert.equal(await differs(second, first), true);
  assert.equal(await differs(first), true);
  assert.equal(await differs(first, first, second), true);
  assert.equal(await differs(first, { ...second, name: "Needs" }), true);
  const none = await nodesWithOtherReferences(database.read, id, "text", new Map([[nodeId(1), []]]));
  assert.equal(none.size, 0);
});

test("GRAPH-11: the references of one node are replaced, and those of others stay", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1), page(2)]);
    for (const number of [1, 2]) await setPropertyReferences(trx, id, nodeId(number), [referenceTo(8)]);
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(9)]);
  });
  const targets = (number: number) =>
    targetsOf(database.read, id, { nodeId: nodeId(number), source: "properties" });
  assert.deepEqual([await targets(1), await targets(2)], [new Set([nodeId(9)]), new Set([nodeId(8)])]);
});

test("GRAPH-31: the places of equal references are stored together, in the order of the references", () => {
  const at = (target: number, ...offsets: readonly number[]) => referenceTo(target, { offsets });
  assert.equal(offsetsOf([at(9, 3), at(8, 5), referenceTo(7), at(9, 12)]), "[[3,12],[5],[]]");
});
