import assert from "node:assert/strict";
import { test } from "node:test";
import { recordStatements } from "../testing/record-statements.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent } from "../testing/write-graph.ts";
import { failContent, upsertNodes } from "./graph-pages.ts";
import {
  countAwaitedTexts,
  countChangedAfter,
  countPages,
  nodeKeysOf,
  readSearchedPage,
  searchedNodesAfter,
  textsOf,
} from "./page-texts.ts";
import { requeueAllTexts } from "./reading-list.ts";
import { type NodePosition, nodeIdOf, nodeKey } from "./statements.ts";

const text = (markdown: string) => ({ markdown, references: [], state: "ready" as const });

test("GRAPH-18: text search reads nodes in the order of their changes, with the lengths of their texts", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const properties = { Status: "open" };
  for (const node of [page(3), page(1, { aliases: ["One"], properties }), page(2)])
    await database.transaction((trx) => upsertNodes(trx, id, [node]));
  await database.transaction((trx) => saveContent(trx, id, nodeId(3), text("Three 🧶")));
  const start = { revision: 0, key: new Uint8Array() };
  const read = async (after: NodePosition, limit: number) =>
    (await searchedNodesAfter(database.read, id, after, limit)).map(({ key, ...node }) => ({
      ...node,
      id: nodeIdOf(key),
    }));
  const all = await read(start, 9);
  const plain = { aliases: null, properties: "{}" };
  const digest = all.at(-1)?.digest;
  assert.equal(typeof digest, "string");
  assert.deepEqual(all, [
    {
      id: nodeId(1),
      title: "Page 1",
      aliases: '["One"]',
      properties: JSON.stringify(properties),
      changedRevision: 2,
      digest: null,
      chars: 0,
    },
    { id: nodeId(2), title: "Page 2", ...plain, changedRevision: 3, digest: null, chars: 0 },
    { id: nodeId(3), title: "Page 3", ...plain, changedRevision: 4, digest, chars: 7 },
  ]);
  assert.deepEqual(await read(start, 1), all.slice(0, 1));
  assert.deepEqual(await read({ revision: 2, key: nodeKey(nodeId(1)) }, 1), all.slice(1, 2));
  assert.equal(await countChangedAfter(database.read, id, { revision: 2, key: nodeKey(nodeId(1)) }), 2);
});

test("GRAPH-18: of texts, those are read that are asked for", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(
      trx,
      id,
      [1, 2, 3, 4].map((number) => page(number)),
    );
    for (const number of [1, 2, 3]) await saveContent(trx, id, nodeId(number), text(`Text ${number}`));
  });
  const read = (...numbers: readonly number[]) =>
    textsOf(
      database.read,
      id,
      numbers.map((number) => nodeKey(nodeId(number))),
    );
  assert.deepEqual(
    await read(1, 3, 4, 5),
    new Map([
      [nodeId(1), "Text 1"],
      [nodeId(3), "Text 3"],
    ]),
  );
  assert.deepEqual(await read(), new Map());
  assert.deepEqual(await readSearchedPage(database.read, id, nodeId(4)), {
    title: "Page 4",
    aliases: [],
    properties: {},
    markdown: "",
    truncated: false,
  });
  assert.equal(await readSearchedPage(database.read, id, nodeId(5)), null);
});

test("GRAPH-18: pages count as awaited that have no text yet, and not those whose text failed or is read again", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1), page(2), page(3), page(4, { type: "database" })]);
    await saveContent(trx, id, nodeId(1), text("Text"));
    await requeueAllTexts(trx, id);
    await failContent(trx, id, nodeId(2), "odd block");
  });
  assert.deepEqual([await countAwaitedTexts(database.read, id), await countPages(database.read, id)], [1, 3]);
});

test("GRAPH-18: the ids of nodes are read in order and in parts, each once", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, none] = [await someConnection(database), await someConnection(database)];
  const numbers = Array.from({ length: 10_002 }, (_, number) => number);
  await database.transaction((trx) =>
    upsertNodes(
      trx,
      id,
      numbers.toReversed().map((number) => page(number)),
    ),
  );
  assert.deepEqual(await nodeKeysOf(database.read, none), Buffer.alloc(0));
  const statements = recordStatements(t);
  const keys = await nodeKeysOf(database.read, id);
  const reads = statements().filter((statement) => /from "nodes"/.test(statement));
  assert.deepEqual(keys, Buffer.concat(numbers.map((number) => nodeKey(nodeId(number)))));
  assert.equal(reads.length, 3, "ten thousand, two and none");
  // The index that finds them may happen to have this order.
  assert.match(reads[0] ?? "", /order by "id" limit/);
});
