import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { nodeId, page, referenceTo, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent } from "../testing/write-graph.ts";
import { changesOf } from "./change-feed.ts";
import { graphRevision } from "./changes.ts";
import { failContent, removeNodes, upsertNodes } from "./graph-pages.ts";
import { readContent } from "./graph-reading.ts";
import { knownNodes } from "./known-nodes.ts";
import type { ReadNode } from "./node-facts.ts";
import { textOfLinks } from "./reference-offsets.ts";
import { referencesOf } from "./references.ts";
import {
  databasesShowing,
  describedDatabases,
  nodesShowing,
  nodesWithEarlierTexts,
  renamedAfter,
  saveRetitled,
  titlesOf,
} from "./shown-titles.ts";
import { type NodePosition, nodeIdOf, nodeKey } from "./statements.ts";

const text = (markdown: string, ...targets: readonly number[]) => ({
  markdown,
  references: targets.map((number) => referenceTo(number)),
  state: "ready" as const,
});

async function open(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  /** Each write is a revision of its own. */
  const write = (...nodes: readonly ReadNode[]) => database.transaction((trx) => upsertNodes(trx, id, nodes));
  return { database, id, write };
}

test("SYNC-12: the nodes that were added or renamed since a revision are found in parts, in the order of their changes", async (t) => {
  const { database, id, write } = await open(t);
  await write(page(1), page(2), page(3), page(9));
  const since = (await graphRevision(database.read, id)) ?? 0;
  await write(page(9, { title: "Renamed" }));
  await write(page(2, { updatedAt: 5 }));
  await write(page(4, { parentId: nodeId(1) }), page(5));
  await write(page(3, { title: "Renamed too" }));
  const part = async (position: NodePosition, limit: number) => {
    const { nodes, end } = await renamedAfter(database.read, id, since, { position, limit });
    return { nodes: nodes.map(({ key, parentId }) => [nodeIdOf(key), parentId]), end };
  };
  const start = { revision: since, key: new Uint8Array() };
  const all = [
    [nodeId(9), null],
    [nodeId(4), nodeId(1)],
    [nodeId(5), null],
    [nodeId(3), null],
  ];
  assert.deepEqual((await part(start, 9)).nodes, all);
  const parts: unknown[] = [];
  for (let position: NodePosition | null = start; position !== null; ) {
    const { nodes, end } = await part(position, 3);
    parts.push(nodes);
    position = end;
  }
  assert.deepEqual(parts, [all.slice(0, 3), all.slice(3), []]);
});

test("SYNC-12: a text may show the titles of the nodes that it names and of those below its page", async (t) => {
  const { database, id, write } = await open(t);
  const below = (number: number) => ({ parentId: nodeId(number) });
  await write(
    ...[page(1), page(2), page(3, below(6)), page(4, below(7)), page(5), page(6), page(7), page(8)],
    page(9, { propertyReferences: [referenceTo(3)] }),
  );
  await database.transaction(async (trx) => {
    await saveContent(trx, id, nodeId(1), text("Of three", 3));
    await saveContent(trx, id, nodeId(2), text("Of eight", 8));
    await saveContent(trx, id, nodeId(6), text("Above three"));
    await saveContent(trx, id, nodeId(7), { ...text(""), state: "empty" });
    await saveContent(trx, id, nodeId(9), text("Of nothing"));
  });
  const showing = async (...nodes: readonly (readonly [number, number | null])[]) => {
    const renamed = nodes.map(([number, parent]) => ({
      key: nodeKey(nodeId(number)),
      parentId: parent === null ? null : nodeId(parent),
    }));
    return (await nodesShowing(database.read, id, renamed)).sort();
  };
  assert.deepEqual(await showing([3, 6]), [nodeId(1), nodeId(6)]);
  assert.deepEqual(await showing([3, null]), [nodeId(1)]);
  assert.deepEqual(await showing([4, 7]), [], "an empty text shows nothing");
  assert.deepEqual(await showing([3, 6], [8, null]), [nodeId(1), nodeId(2), nodeId(6)]);
  assert.deepEqual(await showing(), []);
});

test("SYNC-12: a text with other titles replaces its own, with the places of its links, and that of a database its description", async (t) => {
  const { database, id, write } = await open(t);
  await write(page(1), page(2), page(3, { type: "database", description: "Of Old" }));
  await database.transaction(async (trx) => {
    for (const number of [1, 2]) await saveContent(trx, id, nodeId(number), text("Of Old", 3));
    await saveContent(trx, id, nodeId(3), text("Of Old"));
  });
  const before = (await graphRevision(database.read, id)) ?? 0;
  const references = [referenceTo(3, { targetName: "🧶", offsets: [5] })];
  await database.transaction((trx) =>
    saveRetitled(
      trx,
      id,
      new Map([
        [nodeId(1), { markdown: "Of 🧶 New", references }],
        [nodeId(3), { markdown: "Of New", references: [] }],
      ]),
    ),
  );
  const read = (number: number) => readContent(database.read, id, nodeId(number));
  const [page1, page2, table] = [await read(1), await read(2), await read(3)];
  assert.deepEqual(
    [page1, page2, table].map((content) => [content?.markdown, content?.totalChars, content?.updatedAt]),
    [
      ["Of 🧶 New", 8, 1],
      ["Of Old", 6, 1],
      ["Of New", 6, 1],
    ],
  );
  assert.equal(new Set([page1, page2, table].map((content) => content?.digest)).size, 3);
  const known = await knownNodes(database.read, id, [1, 2, 3].map(nodeId));
  assert.deepEqual(
    [1, 2, 3].map((number) => known.get(nodeId(number))?.facts.description),
    [null, null, "Of New"],
  );
  const [reference] = await referencesOf(database.read, id, { nodeId: nodeId(1), source: "text" });
  assert.equal(reference?.targetName, "🧶");
  const links = await textOfLinks(database.read, id, nodeId(1), [nodeId(3)]);
  assert.deepEqual(links?.links, [{ type: "link", targetId: nodeId(3), offsets: [5] }]);
  assert.equal(await graphRevision(database.read, id), before + 1);
  const changes = await changesOf(database.read, id, {
    from: { revision: before, nodeId: null },
    upTo: before + 1,
    since: before,
    seen: before,
    limit: 9,
  });
  assert.deepEqual(
    changes.map(({ nodeId: changed, what }) => [changed, what]),
    [
      [nodeId(1), ["text"]],
      [nodeId(3), ["text"]],
    ],
  );
  await database.transaction((trx) => saveRetitled(trx, id, new Map()));
  assert.equal(await graphRevision(database.read, id), before + 1, "nothing to replace is no change");
});

test("SYNC-12: titles are read of as many nodes as are there, however many are asked for", async (t) => {
  const { database, id, write } = await open(t);
  const numbers = Array.from({ length: 1500 }, (_, number) => number);
  await write(...numbers.map((number) => page(number)));
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(7)], 1));
  const found = await titlesOf(database.read, id, numbers.map(nodeId));
  assert.deepEqual(
    found,
    new Map(numbers.filter((number) => number !== 7).map((number) => [nodeId(number), `Page ${number}`])),
  );
  assert.deepEqual(await titlesOf(database.read, id, [nodeId(3)]), new Map([[nodeId(3), "Page 3"]]));
  assert.deepEqual(await titlesOf(database.read, id, []), new Map());
});

test("SYNC-12: the description of a database may show the titles of the nodes that it names", async (t) => {
  const { database, id, write } = await open(t);
  const described = (number: number, ...targets: readonly number[]) =>
    page(number, {
      type: "database",
      description: "Of others",
      propertyReferences: targets.map((target) => referenceTo(target)),
    });
  await write(page(1), page(2), described(3, 1, 2), described(4, 2), described(5));
  await write(page(6, { type: "database" }), page(7, { propertyReferences: [referenceTo(1)] }));
  await database.transaction((trx) => saveContent(trx, id, nodeId(5), text("Of others", 1)));
  const databases = (await describedDatabases(database.read, id)).sort();
  assert.deepEqual(databases, [3, 4, 5].map(nodeId));
  const renamed = [{ key: nodeKey(nodeId(1)), parentId: null }];
  assert.deepEqual(await databasesShowing(database.read, id, databases, renamed), [nodeId(3)]);
  assert.deepEqual(await databasesShowing(database.read, id, [nodeId(4)], renamed), []);
});

test("SYNC-12: pages show an earlier text while the new one is awaited or failed, if it has any characters", async (t) => {
  const { database, id, write } = await open(t);
  await write(page(1), page(2), page(3), page(4), page(5), page(6));
  await database.transaction(async (trx) => {
    for (const number of [1, 2, 3]) await saveContent(trx, id, nodeId(number), text("Earlier"));
    await saveContent(trx, id, nodeId(4), { ...text(""), state: "empty" });
    await saveContent(trx, id, nodeId(6), text("."));
    await upsertNodes(
      trx,
      id,
      [1, 4, 6].map((number) => page(number, { updatedAt: 2 })),
    );
    await failContent(trx, id, nodeId(2), "odd block");
  });
  assert.deepEqual((await nodesWithEarlierTexts(database.read, id)).sort(), [1, 2, 6].map(nodeId));
});
