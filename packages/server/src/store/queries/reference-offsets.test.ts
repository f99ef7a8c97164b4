import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, page, referenceTo, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent } from "../testing/write-graph.ts";
import { upsertNodes } from "./graph-pages.ts";
import { saveOffsets, textOfLinks, textsToLocate } from "./reference-offsets.ts";

test("GRAPH-31: texts without the places of their links are found in order, and get them", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  for (const connection of [other, id])
    await database.transaction(async (trx) => {
      const property = [referenceTo(9, { type: "relation", name: "Blocks" })];
      await upsertNodes(
        trx,
        connection,
        [3, 1, 2].map((number) => page(number, { propertyReferences: property })),
      );
      for (const number of [3, 1, 2])
        await saveContent(trx, connection, nodeId(number), {
          markdown: `To [nine](9), page ${number}.`,
          references: [referenceTo(9), referenceTo(8)],
          state: "ready",
        });
      await trx.updateTable("contents").set({ reference_offsets: null }).execute();
    });
  assert.deepEqual(await textsToLocate(database.read, id, 2), [nodeId(1), nodeId(2)]);
  assert.equal(await textOfLinks(database.read, id, nodeId(1), [nodeId(9)]), null);
  const located = [referenceTo(8), referenceTo(9, { offsets: [3] })];
  await database.transaction((trx) => saveOffsets(trx, id, new Map([[nodeId(1), located]])));
  assert.deepEqual(await textsToLocate(database.read, id, 9), [nodeId(2), nodeId(3)]);
  assert.equal((await textsToLocate(database.read, other, 9)).length, 3);
  assert.deepEqual(await textOfLinks(database.read, id, nodeId(1), [nodeId(9)]), {
    markdown: "To [nine](9), page 1.",
    links: [{ type: "link", targetId: nodeId(9), offsets: [3] }],
  });
  const rows = await database.read.selectFrom("contents").select("reference_offsets as offsets").execute();
  assert.deepEqual(
    rows.flatMap(({ offsets }) => offsets ?? []),
    ["[[3],[]]"],
    "a link without a place has none",
  );
});
