import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { upsertNodes } from "./graph-pages.ts";
import type { ReadNode } from "./node-facts.ts";
import { readRows, type StoredRow } from "./rows.ts";

test("GRAPH-23: rows are read with their properties, those that could not be read, and their latest change", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const write = (...nodes: readonly ReadNode[]) => database.transaction((trx) => upsertNodes(trx, id, nodes));
  await write(page(1), page(2), page(3), page(4), page(5));
  await write(page(2, { title: "Renamed" }));
  await write(page(3, { properties: { Status: "open" }, unreadProperties: ["Owner"] }));
  await write(page(4, { updatedAt: 9 }));
  const read = (...numbers: readonly number[]) => readRows(database.read, id, numbers.map(nodeId));
  const unchanged: StoredRow = { properties: {}, unread: [], revision: 1 };
  assert.deepEqual(
    await read(1, 2, 3, 4, 9),
    new Map([
      [nodeId(1), unchanged],
      [nodeId(2), { ...unchanged, revision: 2 }],
      [nodeId(3), { properties: { Status: "open" }, unread: ["Owner"], revision: 3 }],
      [nodeId(4), { ...unchanged, revision: 4 }],
    ]),
  );
  assert.deepEqual(await read(), new Map());
});
