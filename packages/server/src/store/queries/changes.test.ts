import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, WriteTransaction } from "../port.ts";
import { nodeId, page, referenceTo, scratchDatabase, someConnection } from "../testing/scratch.ts";
import { saveContent, setPropertyReferences } from "../testing/write-graph.ts";
import { changesOf, forgottenRevision } from "./change-feed.ts";
import { purgeTombstones } from "./changes.ts";
import { failContent, removeNodes, setParents, upsertNodes } from "./graph-pages.ts";
import { nodeIdOf, nodeKey } from "./statements.ts";

const text = { markdown: "Old text", references: [referenceTo(2)], state: "ready" } as const;

/** A connection with page 1, its text read, and page 2 below it. */
async function someGraph(database: Database): Promise<number> {
  const id = await someConnection(database);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1), page(2, { parentId: nodeId(1) })]);
    await saveContent(trx, id, nodeId(1), text);
  });
  return id;
}

async function revisionOf(database: Database, id: number): Promise<number> {
  const connection = database.read.selectFrom("connections").select("revision").where("id", "=", id);
  return (await connection.executeTakeFirstOrThrow()).revision;
}

/** The revisions with which a page came and changed last. */
async function stampsOf(database: Database, id: number, number: number): Promise<[number, number]> {
  const node = await database.read
    .selectFrom("nodes")
    .select(["added_revision", "changed_revision"])
    .where("connection_id", "=", id)
    .where("id", "=", nodeKey(nodeId(number)))
    .executeTakeFirstOrThrow();
  return [node.added_revision, node.changed_revision];
}

const tombstonesOf = async (database: Database, id: number) =>
  (await database.read.selectFrom("tombstones").selectAll().where("connection_id", "=", id).execute()).map(
    ({ node_id, ...row }) => ({ ...row, nodeId: nodeIdOf(node_id) }),
  );

const changes: Record<string, (trx: WriteTransaction, id: number) => Promise<unknown>> = {
  "a changed title": (trx, id) => upsertNodes(trx, id, [page(1, { title: "Other" })]),
  "other aliases": (trx, id) => upsertNodes(trx, id, [page(1, { aliases: ["note name"] })]),
  "a new parent": (trx, id) => setParents(trx, id, [{ id: nodeId(1), from: null, to: nodeId(9) }]),
  "changed properties": (trx, id) => upsertNodes(trx, id, [page(1, { properties: { a: 1 } })]),
  "new references in the properties": (trx, id) =>
    setPropertyReferences(trx, id, nodeId(1), [referenceTo(3)]),
  "new references in the text": (trx, id) =>
    saveContent(trx, id, nodeId(1), { ...text, references: [referenceTo(3)] }),
  "another text": (trx, id) => saveContent(trx, id, nodeId(1), { ...text, markdown: "New text" }),
};

for (const [name, change] of Object.entries(changes)) {
  test(`GRAPH-11: ${name} moves the revision, and stamps the page alone`, async (t) => {
    const { database } = await scratchDatabase(t);
    const id = await someGraph(database);
    const [before, [added], other] = [
      await revisionOf(database, id),
      await stampsOf(database, id, 1),
      await stampsOf(database, id, 2),
    ];
    await database.transaction((trx) => change(trx, id));
    const revision = await revisionOf(database, id);
    assert.ok(revision > before);
    assert.deepEqual(await stampsOf(database, id, 1), [added, revision]);
    assert.deepEqual(await stampsOf(database, id, 2), other);
  });
}

/** The aspects of page 1 that have the connection's latest revision. */
async function latestOf(database: Database, id: number): Promise<string[]> {
  const columns = ["title", "text", "parent", "properties", "references", "edited"] as const;
  const node = await database.read
    .selectFrom("nodes")
    .select(columns.map((name) => `${name}_revision` as const))
    .where("connection_id", "=", id)
    .where("id", "=", nodeKey(nodeId(1)))
    .executeTakeFirstOrThrow();
  const revision = await revisionOf(database, id);
  return columns.filter((name) => node[`${name}_revision`] === revision);
}

for (const [name, change] of [
  ["title", { title: "Other" }],
  ["parent", { parentId: nodeId(2) }],
  ["properties", { properties: { a: 1 } }],
  ["edited", { updatedAt: 2 }],
  ["", { icon: "🧵", url: "https://x.example/", aliases: ["a"], createdAt: 3 }],
  ["", { properties: { Name: "Page 1" }, repeatedProperties: ["Name"] }],
] as const) {
  test(`GRAPH-27: a listing with another ${JSON.stringify(Object.keys(change))} is of the aspect "${name}"`, async (t) => {
    const { database } = await scratchDatabase(t);
    const id = await someGraph(database);
    await database.transaction((trx) => upsertNodes(trx, id, [page(1, change)]));
    assert.deepEqual(await latestOf(database, id), name === "" ? [] : [name]);
    await database.transaction((trx) => upsertNodes(trx, id, [page(1, change), page(9)]));
    assert.deepEqual(await latestOf(database, id), [], "what stays as it is has not changed");
  });
}

test("GRAPH-27: properties that an earlier program stored have not changed when they are first read again", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someGraph(database);
  await database.transaction((trx) => trx.updateTable("nodes").set({ properties_digest: null }).execute());
  await database.transaction((trx) => upsertNodes(trx, id, [page(1, { properties: { a: 1 } })]));
  assert.deepEqual(await latestOf(database, id), []);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1, { properties: { a: 2 } })]));
  assert.deepEqual(await latestOf(database, id), ["properties"]);
});

test("GRAPH-11: a new page is stamped as added with the revision that it comes with", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someGraph(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1), page(9)]));
  const revision = await revisionOf(database, id);
  assert.deepEqual(await stampsOf(database, id, 9), [revision, revision]);
  assert.ok((await stampsOf(database, id, 1))[1] < revision);
});

test("SYNC-3: if a sync finds nothing changed, the revision stays and nothing is stamped", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someGraph(database);
  const before = [await revisionOf(database, id), await stampsOf(database, id, 1)];
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(1)]);
    await setPropertyReferences(trx, id, nodeId(1), []);
    await saveContent(trx, id, nodeId(1), { ...text, reading: { at: 5, state: "whole" } });
    await setParents(trx, id, []);
    await removeNodes(trx, id, [nodeId(7)], 9);
  });
  assert.deepEqual([await revisionOf(database, id), await stampsOf(database, id, 1)], before);
});

test("GRAPH-11: a text that cannot be read is no change of its page", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someGraph(database);
  const before = await stampsOf(database, id, 1);
  await database.transaction((trx) => failContent(trx, id, nodeId(1), "odd"));
  assert.deepEqual(await stampsOf(database, id, 1), before);
});

test("GRAPH-11: a page leaves a tombstone each time that it is removed", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someGraph(database);
  const [added] = await stampsOf(database, id, 2);
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(2), nodeId(8)], 77));
  const revision = await revisionOf(database, id);
  const first = { connection_id: id, nodeId: nodeId(2), added_revision: added, revision, removed_at: 77 };
  assert.deepEqual(await tombstonesOf(database, id), [first]);
  await database.transaction((trx) => upsertNodes(trx, id, [page(2)]));
  const back = await revisionOf(database, id);
  assert.deepEqual(await stampsOf(database, id, 2), [back, back]);
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(2)], 78));
  const second = { ...first, added_revision: back, revision: await revisionOf(database, id), removed_at: 78 };
  // A follower that knows the first page needs the first tombstone, one that knows both needs both.
  assert.deepEqual(await tombstonesOf(database, id), [first, second]);
});

test("GRAPH-11: old removals are forgotten, and the connection remembers up to which revision", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someGraph(database);
  const other = await someGraph(database);
  const forgotten = () => forgottenRevision(database.read, id);
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(1)], 100));
  const first = await revisionOf(database, id);
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(2)], 200));
  await database.transaction((trx) => purgeTombstones(trx, id, 100));
  assert.equal(await forgotten(), 0);
  await database.transaction((trx) => purgeTombstones(trx, id, 200));
  assert.equal(await forgotten(), first);
  assert.deepEqual(
    (await tombstonesOf(database, id)).map((tombstone) => tombstone.nodeId),
    [nodeId(2)],
  );
  await database.transaction((trx) => purgeTombstones(trx, id, 150));
  assert.equal(await forgotten(), first);
  assert.deepEqual(
    [await forgottenRevision(database.read, other), await forgottenRevision(database.read, 404)],
    [0, 0],
    "nothing is forgotten of another connection, or of one that is gone",
  );
});

const later: Record<string, (trx: WriteTransaction, id: number, number: number) => Promise<unknown>> = {
  changed: (trx, id, number) => upsertNodes(trx, id, [page(number, { title: "Later" })]),
  removed: (trx, id, number) => removeNodes(trx, id, [nodeId(number)], 9),
};

for (const [name, change] of Object.entries(later)) {
  test(`GRAPH-11: of pages that were ${name} after the served graph, the feed has those that only the client lacks`, async (t) => {
    const { database } = await scratchDatabase(t);
    const [id, other] = [await someConnection(database), await someConnection(database)];
    const ofEach = async (connection: number, write: typeof change) => {
      for (const number of [1, 2, 3, 4]) await database.transaction((trx) => write(trx, connection, number));
    };
    for (const connection of [id, other])
      await ofEach(connection, (trx, connection, number) => upsertNodes(trx, connection, [page(number)]));
    // The client has the graph of revision 2, and that of revision 3 is served.
    const wanted = { from: { revision: 3, nodeId: null }, upTo: 3, since: 2, seen: 2, limit: 9 };
    const feed = async () =>
      (await changesOf(database.read, id, wanted)).map(({ kind, what, nodeId, position }) => ({
        kind,
        what,
        nodeId,
        revision: position.revision,
      }));
    const added = { kind: "added", what: [], nodeId: nodeId(3) };
    assert.deepEqual(await feed(), [{ ...added, revision: 3 }]);
    await ofEach(other, change);
    assert.deepEqual(await feed(), [{ ...added, revision: 3 }]);
    await ofEach(id, change);
    assert.deepEqual(await feed(), [{ ...added, revision: 7 }]);
  });
}
