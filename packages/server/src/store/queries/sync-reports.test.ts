import assert from "node:assert/strict";
import { test } from "node:test";
import {
  nodeId,
  page,
  referenceTo,
  scratchDatabase,
  someConnection,
  someReport,
} from "../testing/scratch.ts";
import { setPropertyReferences } from "../testing/write-graph.ts";
import { failContent, upsertNodes } from "./graph-pages.ts";
import { countUnshared, failedPages, insertSyncReport, syncReportsOf } from "./sync-reports.ts";

const report = (finishedAt: number) => someReport({ finishedAt });

test("SYNC-5: the last twenty reports of each connection are kept, newest first", async (t) => {
  const { database } = await scratchDatabase(t);
  const [one, another, few] = [
    await someConnection(database),
    await someConnection(database),
    await someConnection(database),
  ] as const;
  await database.transaction((trx) => insertSyncReport(trx, few, report(100)));
  for (let at = 1; at <= 25; at += 1)
    for (const id of [one, another])
      await database.transaction((trx) => insertSyncReport(trx, id, report(at)));
  const latest = Array.from({ length: 20 }, (_, index) => report(25 - index));
  assert.deepEqual(await syncReportsOf(database.read, one), latest);
  assert.deepEqual(await syncReportsOf(database.read, another), latest);
  assert.deepEqual(await syncReportsOf(database.read, few), [report(100)]);
  const stored = await database.read.selectFrom("sync_reports").select("id").execute();
  assert.equal(stored.length, 41, "the others are deleted");
});

test("SYNC-5: failed pages are named with their reasons up to a limit, and all counted", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1), page(2, { title: "A" }), page(3, { title: "B" })]);
    for (const number of [2, 3]) await failContent(trx, id, nodeId(number), `reason ${number}`);
  });
  const first = { id: nodeId(2), title: "A", reason: "reason 2" };
  assert.deepEqual(await failedPages(database.read, id, 1), { items: [first], total: 2 });
  const all = await failedPages(database.read, id, 10);
  assert.deepEqual([all.items.length, all.total], [2, 2]);
});

test("GRAPH-4: references that lead nowhere and nodes whose parents are not shared are counted", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    const nodes = [
      page(1),
      page(2, { containerId: nodeId(9) }),
      page(3, { containerId: nodeId(1), parentId: nodeId(1) }),
    ];
    await upsertNodes(trx, id, nodes);
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(2), referenceTo(8), referenceTo(9)]);
  });
  assert.deepEqual(await countUnshared(database.read, id), { unresolved: 2, orphans: 1 });
});
