import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reference } from "@clew/graph";
import fc from "fast-check";
import type { Database } from "../port.ts";
import { readGraph } from "../testing/read-graph.ts";
import { nodeId, page, referenceTo, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent, setPropertyReferences } from "../testing/write-graph.ts";
import { publishRevision } from "./connections.ts";
import { upsertNodes } from "./graph-pages.ts";
import {
  contentSizes,
  contentsBetween,
  countGraph,
  readContent,
  readNodeDetail,
  readUnresolved,
} from "./graph-reading.ts";

/** Pages 1 to 3 below one another, with references of every kind. */
async function labyrinth(database: Database): Promise<number> {
  const id = await someConnection(database);
  const text = [
    referenceTo(2, { count: 2 }),
    referenceTo(1),
    referenceTo(8, { type: "mention" }),
    referenceTo(9, { count: 3 }),
    referenceTo(2, { type: "mention" }),
  ];
  const properties = [
    referenceTo(2),
    referenceTo(2, { type: "relation", name: "Next" }),
    referenceTo(9, { type: "relation", name: "Next" }),
    referenceTo(9, { type: "relation", name: "Last" }),
  ];
  await database.transaction(async (trx) => {
    const nodes = [page(1), page(2, { parentId: nodeId(1) }), page(3, { parentId: nodeId(7) })];
    await upsertNodes(trx, id, nodes);
    await saveContent(trx, id, nodeId(1), { markdown: "text", references: text, state: "ready" });
    await setPropertyReferences(trx, id, nodeId(1), properties);
    await setPropertyReferences(trx, id, nodeId(3), [referenceTo(1)]);
  });
  return id;
}

test("readGraph: every node and reference; one that is in text and properties is one reference", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  const graph = await database.snapshot((db) => readGraph(db, id));
  assert.deepEqual(
    graph.nodes.map((node) => node.id),
    [nodeId(1), nodeId(2), nodeId(3)],
  );
  const order = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  assert.deepEqual(
    graph.references.sort(order),
    [
      { from: nodeId(1), reference: referenceTo(1) },
      { from: nodeId(1), reference: referenceTo(2, { count: 3 }) },
      { from: nodeId(1), reference: referenceTo(9, { count: 3 }) },
      { from: nodeId(1), reference: referenceTo(2, { type: "mention" }) },
      { from: nodeId(1), reference: referenceTo(8, { type: "mention" }) },
      { from: nodeId(1), reference: referenceTo(2, { type: "relation", name: "Next" }) },
      { from: nodeId(1), reference: referenceTo(9, { type: "relation", name: "Next" }) },
      { from: nodeId(1), reference: referenceTo(9, { type: "relation", name: "Last" }) },
      { from: nodeId(3), reference: referenceTo(1) },
    ].sort(order),
  );
});

test("readGraph: revision and published revision", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  const before = await database.snapshot((db) => readGraph(db, id));
  assert.equal(before.publishedRevision, 0);
  await database.transaction((trx) => publishRevision(trx, id, 1));
  const after = await database.snapshot((db) => readGraph(db, id));
  assert.equal(after.revision, before.revision);
  assert.equal(after.publishedRevision, before.revision);
});

test("readGraph: a graph of several pages is whole, and of one moment while others write", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const propertyReferences = [referenceTo(0)];
  const nodes = Array.from({ length: 2500 }, (_, number) => page(number, { propertyReferences }));
  await database.transaction((trx) => upsertNodes(trx, id, nodes));
  const before = await database.snapshot((db) => readGraph(db, id));
  const reading = database.snapshot((db) => readGraph(db, id));
  const later = nodes.map((node) => ({ ...node, title: "Later" }));
  await database.transaction((trx) => upsertNodes(trx, id, later));
  const seen = await reading;
  assert.equal(seen.revision, before.revision);
  assert.deepEqual(seen, before);
  assert.equal(seen.nodes.length, 2500);
  assert.equal(seen.references.length, 2500);
  assert.ok(
    (await database.snapshot((db) => readGraph(db, id))).nodes.every(({ title }) => title === "Later"),
  );
});

test("readGraph: leaves out other connections' graphs", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  const other = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, other, [page(2, { title: "Theirs" }), page(9)]);
    await setPropertyReferences(trx, other, nodeId(2), [referenceTo(9)]);
  });
  const theirs = await readGraph(database.read, other);
  assert.equal(theirs.nodes.length, 2);
  assert.equal(theirs.references.length, 1);
  assert.equal((await database.snapshot((db) => readGraph(db, id))).nodes.length, 3);
  assert.equal((await readNodeDetail(database.read, id, nodeId(1)))?.unresolved.length, 3);
});

test("readGraph: a missing connection has an empty graph", async (t) => {
  const { database } = await scratchDatabase(t);
  const nothing = { revision: 0, publishedRevision: 0, nodes: [], references: [] };
  assert.deepEqual(await readGraph(database.read, 404), nothing);
});

test("GRAPH-4: a node's detail names the references to pages that were not shared", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  assert.deepEqual((await readNodeDetail(database.read, id, nodeId(1)))?.unresolved, [
    { type: "link", targetId: nodeId(9), name: null, count: 3 },
    { type: "mention", targetId: nodeId(8), name: null, count: 1 },
    { type: "relation", targetId: nodeId(9), name: null, count: 2 },
  ]);
  assert.deepEqual((await readNodeDetail(database.read, id, nodeId(2)))?.unresolved, []);
  assert.equal(await readNodeDetail(database.read, id, nodeId(9)), null);
});

test("GRAPH-4: an unresolved reference has the first name that the node gives it", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const named = (targetName: string) => referenceTo(8, { targetName });
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1)]);
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(7), named("in a property")]);
    const references = [
      referenceTo(8),
      named("first"),
      named("second"),
      referenceTo(7, { targetName: "half a pair \ud800" }),
    ];
    await saveContent(trx, id, nodeId(1), { markdown: "text", references, state: "ready" });
  });
  const unresolved = async () => (await readNodeDetail(database.read, id, nodeId(1)))?.unresolved;
  assert.deepEqual(await unresolved(), [
    { type: "link", targetId: nodeId(7), name: "half a pair \ufffd", count: 2 },
    { type: "link", targetId: nodeId(8), name: "in a property", count: 4 },
  ]);
  const { revision } = await database.snapshot((db) => readGraph(db, id));
  await database.transaction((trx) =>
    setPropertyReferences(trx, id, nodeId(1), [referenceTo(7), referenceTo(8)]),
  );
  assert.equal((await unresolved())?.[1]?.name, "first");
  assert.notEqual((await database.snapshot((db) => readGraph(db, id))).revision, revision);
});

test("GRAPH-4: a name in the properties comes before one in the text, whichever was stored first", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const named = (targetName: string) => referenceTo(8, { targetName });
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1)]);
    const references = [named("in the text")];
    await saveContent(trx, id, nodeId(1), { markdown: "text", references, state: "ready" });
    await setPropertyReferences(trx, id, nodeId(1), [named("in a property")]);
  });
  const expected = { type: "link", targetId: nodeId(8), name: "in a property", count: 2 };
  assert.deepEqual((await readNodeDetail(database.read, id, nodeId(1)))?.unresolved, [expected]);
  assert.deepEqual(await readUnresolved(database.read, id, [nodeId(1)]), new Map([[nodeId(1), [expected]]]));
});

test("GRAPH-4: the unresolved references of pages are listed by target, then by type", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await labyrinth(database), await labyrinth(database)];
  const add = (connection: number, number: number, references: Reference[]) =>
    database.transaction(async (trx) => {
      await upsertNodes(trx, connection, [page(number)]);
      await setPropertyReferences(trx, connection, nodeId(number), references);
    });
  await add(id, 4, [
    referenceTo(12, { type: "relation", name: "Next", count: 2 }),
    referenceTo(11, { type: "relation", name: "Next" }),
    referenceTo(12, { type: "mention" }),
    referenceTo(10),
    referenceTo(12),
    referenceTo(1),
    referenceTo(11),
  ]);
  await add(other, 4, [referenceTo(20)]);
  const link = (target: number, count: number) => ({
    type: "link",
    targetId: nodeId(target),
    name: null,
    count,
  });
  const found = await readUnresolved(database.read, id, [2, 4, 1, 77].map(nodeId));
  assert.deepEqual(
    found,
    new Map([
      [nodeId(1), [{ ...link(8, 1), type: "mention" }, link(9, 3), { ...link(9, 2), type: "relation" }]],
      [
        nodeId(4),
        [
          link(10, 1),
          link(11, 1),
          { ...link(11, 1), type: "relation" },
          link(12, 1),
          { ...link(12, 1), type: "mention" },
          { ...link(12, 2), type: "relation" },
        ],
      ],
    ]),
  );
});

test("SYNC-10: an unresolved reference resolves when its page arrives", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  const before = await countGraph(database.read, id);
  await database.transaction((trx) => upsertNodes(trx, id, [page(8), page(9)]));
  assert.deepEqual((await readNodeDetail(database.read, id, nodeId(1)))?.unresolved, []);
  assert.deepEqual(await countGraph(database.read, id), { nodes: 5, edges: before.edges + 4 });
});

test("GRAPH-1: an edge from a node to itself is not counted, since nothing shows it", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1, { parentId: nodeId(1) }), page(2, { parentId: nodeId(1) })]);
    await setPropertyReferences(trx, id, nodeId(1), [referenceTo(1), referenceTo(2)]);
  });
  assert.deepEqual(await countGraph(database.read, id), { nodes: 2, edges: 2 });
});

test("countGraph: counts each resolved reference once, and child edges whose parent exists", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  // 1 → 2 child, link, mention and relation, 3 → 1 link.
  assert.deepEqual(await countGraph(database.read, id), { nodes: 3, edges: 5 });
});

test("GRAPH-5: a text is returned whole, its length counted in code points", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1)]));
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (markdown) => {
      await database.transaction((trx) =>
        saveContent(trx, id, nodeId(1), { markdown, references: [], state: "ready" }),
      );
      const content = await readContent(database.read, id, nodeId(1));
      assert.equal(content?.markdown, markdown);
      assert.equal(content?.totalChars, [...markdown].length);
    }),
    { numRuns: 50 },
  );
});

test("GRAPH-5: the digest changes with the text and with nothing else", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const digestOf = (markdown: string, updatedAt: number) =>
    database.transaction(async (trx) => {
      await upsertNodes(trx, id, [page(1, { updatedAt })]);
      await saveContent(trx, id, nodeId(1), {
        markdown,
        references: [referenceTo(updatedAt)],
        state: "ready",
      });
      return (await readContent(trx, id, nodeId(1)))?.digest;
    });
  const first = await digestOf("One", 1);
  assert.equal(await digestOf("One", 2), first);
  assert.notEqual(await digestOf("Two", 2), first);
});

test("a page that was never read has no text", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await labyrinth(database);
  assert.equal(await readContent(database.read, id, nodeId(2)), null);
  assert.equal((await readNodeDetail(database.read, id, nodeId(2)))?.contentState, "pending");
});

test("GRAPH-26: the texts of a workspace are read in parts, in the order of their pages", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  await database.transaction(async (trx) => {
    for (const connection of [id, other]) {
      await upsertNodes(
        trx,
        connection,
        [1, 2, 3, 4, 5].map((number) => page(number, { updatedAt: number })),
      );
      for (const number of [5, 1, 4, 2])
        await saveContent(trx, connection, nodeId(number), {
          markdown: "x".repeat(connection === id ? number : 99),
          references: [],
          state: "ready",
        });
    }
  });
  const sizes = async (after: number | null, limit: number) =>
    (await contentSizes(database.read, id, after === null ? null : nodeId(after), limit)).map((text) => [
      text.nodeId,
      text.totalChars,
    ]);
  const sizeOf = (number: number) => [nodeId(number), number];
  assert.deepEqual(await sizes(null, 3), [1, 2, 4].map(sizeOf));
  assert.deepEqual(await sizes(4, 3), [5].map(sizeOf));
  assert.deepEqual(await sizes(2, 1), [4].map(sizeOf));
  assert.deepEqual(await sizes(5, 3), []);
  const texts = (after: number | null, last: number) =>
    contentsBetween(database.read, id, after === null ? null : nodeId(after), nodeId(last));
  const textOf = (number: number) => ({
    nodeId: nodeId(number),
    markdown: "x".repeat(number),
    updatedAt: number,
    truncated: false,
  });
  assert.deepEqual(await texts(null, 4), [1, 2, 4].map(textOf));
  assert.deepEqual(await texts(1, 4), [2, 4].map(textOf));
});
