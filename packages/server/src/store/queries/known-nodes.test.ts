import assert from "node:assert/strict";
import { test } from "node:test";
import { onPostgres } from "../testing/location.ts";
import { indexPlans } from "../testing/plans.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { removeNodes, setParents, upsertNodes } from "./graph-pages.ts";
import { childrenOf, cutOffNodes, orphanedNodes, unsettledNodes } from "./known-nodes.ts";
import { nodesAwaitingContent } from "./reading-list.ts";

test("SYNC-7: nodes at the top with a container are those that the graph could not place in it", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [
      page(1),
      page(2, { containerId: nodeId(1) }),
      page(3, { containerId: nodeId(9), isUnsettled: true }),
      page(4, { containerId: nodeId(1) }),
    ]);
    await setParents(trx, id, [
      { id: nodeId(2), from: null, to: nodeId(1) },
      { id: nodeId(4), from: null, to: nodeId(2) },
    ]);
  });
  assert.deepEqual(await cutOffNodes(database.read, id), [nodeId(3)]);
  assert.deepEqual(await unsettledNodes(database.read, id), [nodeId(3)]);
  const children = await childrenOf(database.read, id, [nodeId(1), nodeId(2), nodeId(3)]);
  assert.deepEqual(children.toSorted(), [nodeId(2), nodeId(4)]);
  assert.deepEqual(await childrenOf(database.read, id, []), []);
});

test("SYNC-7: the orphans are the nodes whose parent was removed, and not those at the top", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  for (const connection of [id, other])
    await database.transaction(async (trx) => {
      await upsertNodes(
        trx,
        connection,
        [1, 2, 3, 4].map((number) => page(number)),
      );
      await setParents(trx, connection, [
        { id: nodeId(3), from: null, to: nodeId(2) },
        { id: nodeId(4), from: null, to: nodeId(1) },
      ]);
    });
  assert.deepEqual(await orphanedNodes(database.read, id), []);
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(2)], 1));
  assert.deepEqual(await orphanedNodes(database.read, id), [{ id: nodeId(3), type: "page" }]);
  assert.deepEqual(await orphanedNodes(database.read, other), []);
});

test("SYNC-11: what a reading of edits asks is found by an index, however many nodes there are", {
  skip: onPostgres && "an index of few nodes costs as much as any other",
}, async (t) => {
  const place = await scratchDatabase(t);
  const { database } = place;
  const id = await someConnection(database);
  const queries: Readonly<Record<string, () => Promise<unknown>>> = {
    nodes_by_parent: () => childrenOf(database.read, id, [nodeId(1)]),
    nodes_at_top: () => cutOffNodes(database.read, id),
    nodes_to_read: () => nodesAwaitingContent(database.read, id),
    nodes_unsettled: () => unsettledNodes(database.read, id),
  };
  for (const [index, query] of Object.entries(queries)) {
    const plans = await indexPlans(t, place, ["nodes"], query);
    for (const plan of plans) assert.ok(plan.includes(index), `${index} is not used: ${plan}`);
  }
});
