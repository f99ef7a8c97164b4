import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, WriteTransaction } from "../port.ts";
import { countRowsRead } from "../testing/count-rows.ts";
import { readGraph } from "../testing/read-graph.ts";
import { nodeId, page, referenceTo, scratchDatabase, someConnection, someUser } from "../testing/scratch.ts";
import { saveContent, setPropertyReferences } from "../testing/write-graph.ts";
import { storedVersion } from "./changes.ts";
import { failContent, removeNodes, setObservations, upsertNodes } from "./graph-pages.ts";
import { countGraph, readContent, readNodeDetail } from "./graph-reading.ts";
import { knownNodes } from "./known-nodes.ts";
import type { Observation, ReadNode } from "./node-facts.ts";
import { nodesAwaitingContent, requeueAllTexts } from "./reading-list.ts";

/** A connection with page 1, its text read. */
async function connectionWithText(database: Database): Promise<number> {
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1)]);
    await saveContent(trx, id, nodeId(1), {
      markdown: "Old text",
      references: [referenceTo(2)],
      state: "ready",
    });
  });
  return id;
}

const revision = async (database: Database, id: number) =>
  (await database.snapshot((db) => readGraph(db, id))).revision;

const stateOf = async (database: Database, id: number) =>
  (await readNodeDetail(database.read, id, nodeId(1)))?.contentState;

test("a node comes back as it was written", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const node = page(1, {
    type: "database",
    title: "Ariadne’s 🧶",
    icon: "🧶",
    url: "https://example.org/1",
    parentId: nodeId(2),
    createdAt: 10,
    updatedAt: 20,
    properties: { Status: "open", Tags: ["a", null, 1.5, true], "": { deep: {} }, "half \ud83e": "\u0000" },
  });
  await database.transaction((trx) => upsertNodes(trx, id, [node]));
  const { properties, ...bare } = node;
  assert.deepEqual((await database.snapshot((db) => readGraph(db, id))).nodes, [bare]);
  assert.deepEqual((await readNodeDetail(database.read, id, node.id))?.properties, properties);
});

test("more nodes than one statement takes are stored once each, and the last duplicate counts", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const nodes = Array.from({ length: 250 }, (_, number) => page(number));
  const last = page(7, { title: "Last word" });
  await database.transaction((trx) => upsertNodes(trx, id, [...nodes, last]));
  const graph = await database.snapshot((db) => readGraph(db, id));
  assert.equal(graph.nodes.length, 250);
  assert.equal(graph.nodes.find((node) => node.id === last.id)?.title, "Last word");
});

test("SYNC-7: a node that is seen again is renamed and moved", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1), page(2)]));
  const moved = page(1, { title: "Renamed", parentId: nodeId(2) });
  await database.transaction((trx) => upsertNodes(trx, id, [moved]));
  const found = (await database.snapshot((db) => readGraph(db, id))).nodes.find(
    (node) => node.id === moved.id,
  );
  assert.equal(found?.title, "Renamed");
  assert.equal(found?.parentId, nodeId(2));
});

test("SYNC-6: a text that was read is not awaited again while its page is unchanged", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1, { title: "Renamed" })]));
  assert.equal(await stateOf(database, id), "ready");
  assert.deepEqual(await nodesAwaitingContent(database.read, id), []);
});

test("SYNC-7: a page that was edited awaits its text, and the old one stays readable as of its edit", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1, { updatedAt: 2 })]));
  assert.equal(await stateOf(database, id), "pending");
  const content = await readContent(database.read, id, nodeId(1));
  assert.equal(content?.markdown, "Old text");
  assert.equal(content?.updatedAt, 1);
  assert.equal((await database.snapshot((db) => readGraph(db, id))).references.length, 1);
});

test("a text, the references in it and its state go together", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction((trx) =>
    saveContent(trx, id, nodeId(1), { markdown: "", references: [referenceTo(3)], state: "empty" }),
  );
  assert.equal(await stateOf(database, id), "empty");
  assert.equal((await readContent(database.read, id, nodeId(1)))?.markdown, "");
  assert.deepEqual((await database.snapshot((db) => readGraph(db, id))).references, [
    { from: nodeId(1), reference: referenceTo(3) },
  ]);
});

test("SYNC-5: a text that could not be read keeps the earlier one, and says why", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction((trx) => failContent(trx, id, nodeId(1), "The provider says 400"));
  const failed = await readNodeDetail(database.read, id, nodeId(1));
  assert.equal(failed?.contentState, "failed");
  assert.equal(failed?.contentError, "The provider says 400");
  assert.equal((await readContent(database.read, id, nodeId(1)))?.markdown, "Old text");
  assert.equal((await database.snapshot((db) => readGraph(db, id))).references.length, 1);

  const read = { markdown: "New text", references: [], state: "ready" } as const;
  await database.transaction((trx) => saveContent(trx, id, nodeId(1), read));
  const mended = await readNodeDetail(database.read, id, nodeId(1));
  assert.equal(mended?.contentState, "ready");
  assert.equal(mended?.contentError, null);
});

test("references of properties and of the text are replaced independently", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  const relation = referenceTo(4, { type: "relation", name: "Owner" });
  await database.transaction((trx) => setPropertyReferences(trx, id, nodeId(1), [relation]));
  const both = async () =>
    (await database.snapshot((db) => readGraph(db, id))).references.map(({ reference }) => reference);
  assert.deepEqual(await both(), [referenceTo(2), relation]);
  await database.transaction((trx) => setPropertyReferences(trx, id, nodeId(1), []));
  assert.deepEqual(await both(), [referenceTo(2)]);
});

test("more references than one statement takes are all kept", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const references = Array.from({ length: 1234 }, (_, number) => referenceTo(number));
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1)]);
    await saveContent(trx, id, nodeId(1), { markdown: "many", references, state: "ready" });
  });
  assert.equal((await database.snapshot((db) => readGraph(db, id))).references.length, 1234);
});

test("SYNC-7: nodes that are removed go with their texts and references", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(2)]));
  assert.equal(await database.transaction((trx) => removeNodes(trx, id, [nodeId(1)], 9)), 1);
  const graph = await database.snapshot((db) => readGraph(db, id));
  assert.deepEqual(
    graph.nodes.map((node) => node.id),
    [nodeId(2)],
  );
  assert.deepEqual(graph.references, []);
  assert.equal(await readContent(database.read, id, nodeId(1)), null);
  assert.equal(await readNodeDetail(database.read, id, nodeId(1)), null);

  await database.transaction((trx) => upsertNodes(trx, id, [page(1)]));
  assert.equal(await readContent(database.read, id, nodeId(1)), null);
  assert.equal((await database.snapshot((db) => readGraph(db, id))).references.length, 0);
});

test("GRAPH-15: late writes to a connection that is gone revive nothing", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1), page(2)]);
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(2)]);
    await saveContent(trx, id, nodeId(1), { markdown: "late", references: [referenceTo(2)], state: "ready" });
    await failContent(trx, id, nodeId(1), "late");
    assert.equal(await removeNodes(trx, id, [nodeId(1)], 9), 0);
  });
  assert.deepEqual(await countGraph(database.read, id), { nodes: 0, edges: 0 });
  assert.equal(await readContent(database.read, id, nodeId(1)), null);
});

test("late writes to a node that is gone revive nothing", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  await database.transaction(async (trx) => {
    await removeNodes(trx, id, [nodeId(1)], 9);
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(2)]);
    await saveContent(trx, id, nodeId(1), { markdown: "late", references: [referenceTo(2)], state: "ready" });
    await failContent(trx, id, nodeId(1), "late");
  });
  assert.deepEqual(await countGraph(database.read, id), { nodes: 0, edges: 0 });
  assert.equal(await readContent(database.read, id, nodeId(1)), null);
});

test("SESS-9: a user's graphs go with the user, other users' stay", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const mine = await someConnection(database, userId);
  const theirs = await connectionWithText(database);
  await database.transaction((trx) => upsertNodes(trx, mine, [page(1)]));
  await database.transaction((trx) => trx.deleteFrom("users").where("id", "=", userId).execute());
  assert.deepEqual(await countGraph(database.read, mine), { nodes: 0, edges: 0 });
  assert.equal((await countGraph(database.read, theirs)).nodes, 1);
});

test("a lone surrogate becomes U+FFFD once and causes no further change", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const reference = referenceTo(2, { type: "relation", name: "own\ud83eer" });
  const odd: Partial<ReadNode> = { title: "a\ud83eb" };
  const write = () =>
    database.transaction(async (trx) => {
      await upsertNodes(trx, id, [page(1, odd)]);
      await setPropertyReferences(trx, id, nodeId(1), [reference]);
      await saveContent(trx, id, nodeId(1), { markdown: "\ud83ex\u0000", references: [], state: "ready" });
    });
  await write();
  const graph = await database.snapshot((db) => readGraph(db, id));
  assert.equal(graph.nodes[0]?.title, "a\ufffdb");
  assert.equal(graph.references[0]?.reference.name, "own\ufffder");
  const content = await readContent(database.read, id, nodeId(1));
  assert.equal(content?.markdown, "\ufffdx\u0000");
  assert.equal(content?.totalChars, 3);
  await write();
  assert.equal(await revision(database, id), graph.revision);
});

test("GRAPH-19: a text that is found empty, fails or is mended makes another revision, and the same once more does not", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await connectionWithText(database);
  const moves = async (write: (trx: WriteTransaction) => Promise<void>) => {
    const before = await revision(database, id);
    await database.transaction(write);
    return (await revision(database, id)) - before;
  };
  const fail = (trx: WriteTransaction) => failContent(trx, id, nodeId(1), "The provider says 400");
  const mend = (trx: WriteTransaction) =>
    saveContent(trx, id, nodeId(1), { markdown: "Old text", references: [referenceTo(2)], state: "ready" });
  const add = (trx: WriteTransaction) => upsertNodes(trx, id, [page(2)]);
  const empty = (trx: WriteTransaction) =>
    saveContent(trx, id, nodeId(2), { markdown: "", references: [], state: "empty" });
  assert.deepEqual([await moves(fail), await moves(fail)], [1, 0]);
  assert.deepEqual([await moves(mend), await moves(mend)], [1, 0]);
  assert.deepEqual([await moves(add), await moves(empty), await moves(empty)], [1, 1, 0]);
  await database.transaction((trx) => requeueAllTexts(trx, id));
  assert.deepEqual([await moves(empty), await moves(mend)], [0, 0]);
});

test("each revision has a mark of its own, and what changes nothing keeps it", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  assert.deepEqual(await storedVersion(database.read, id), { revision: 0, mark: null });
  const versions = [];
  for (const number of [1, 2, 2]) {
    await database.transaction((trx) => upsertNodes(trx, id, [page(number)]));
    versions.push(await storedVersion(database.read, id));
  }
  const [first, second, third] = versions;
  assert.ok(first?.mark && second?.mark && first.mark !== second.mark);
  assert.deepEqual(third, second);
  assert.equal(await database.graphRows(id, ({ mark }) => mark), second.mark);
  assert.equal(await storedVersion(database.read, 99), null);
});

test("SYNC-7: how a sync came to see nodes is stored of each of them, and changes nothing else", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  const before: Observation = { containerId: nodeId(9), foundBy: "crawl", isUnsettled: true };
  const nodes = [1, 2, 3, 4].map((number) => page(number, before));
  await database.transaction(async (trx) => {
    for (const connection of [id, other]) await upsertNodes(trx, connection, nodes);
  });
  const observationsIn = async (connection: number) => {
    const known = await knownNodes(
      database.read,
      connection,
      nodes.map((node) => node.id),
    );
    return nodes.map((node) => {
      const { containerId, foundBy, isUnsettled } = known.get(node.id) ?? {};
      return { containerId, foundBy, isUnsettled };
    });
  };
  const graph = await database.snapshot((db) => readGraph(db, id));
  const seen: Observation[] = [
    { containerId: nodeId(7), foundBy: "rows", isUnsettled: false },
    { containerId: null, foundBy: "search", isUnsettled: true },
    { containerId: nodeId(8), foundBy: "crawl", isUnsettled: false },
  ];
  await database.transaction((trx) =>
    setObservations(
      trx,
      id,
      seen.map((observation, index) => ({ id: nodeId(1 + index), ...observation })),
    ),
  );
  assert.deepEqual(await observationsIn(id), [...seen, before]);
  assert.deepEqual(await observationsIn(other), [before, before, before, before]);
  assert.deepEqual(await database.snapshot((db) => readGraph(db, id)), graph);
});

test("what is written of one text reads what is stored of its page, not of the whole workspace", async (t) => {
  const { database } = await scratchDatabase(t);
  const rowsWith = async (pages: number, write: (trx: WriteTransaction, id: number) => Promise<void>) => {
    const id = await connectionWithText(database);
    const others = Array.from({ length: pages }, (_, number) => page(100 + number));
    await database.transaction((trx) => upsertNodes(trx, id, others));
    return countRowsRead(database, (trx) => write(trx, id));
  };
  const text = { markdown: "New text", references: [referenceTo(3)], state: "ready" } as const;
  const save = (trx: WriteTransaction, id: number) => saveContent(trx, id, nodeId(1), text);
  const fail = (trx: WriteTransaction, id: number) => failContent(trx, id, nodeId(1), "odd");
  for (const write of [save, fail]) assert.equal(await rowsWith(200, write), await rowsWith(0, write));
});
