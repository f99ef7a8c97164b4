import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Database, ReadHandle, WriteTransaction } from "../port.ts";
import { columnNames } from "../testing/column-names.ts";
import {
  nodeId,
  page,
  referenceTo,
  scratchDatabase,
  someConnection,
  someReport,
} from "../testing/scratch.ts";
import { saveContent } from "../testing/write-graph.ts";
import { authorsOf, setAuthors } from "./authors.ts";
import { changesOf, forgottenRevision } from "./change-feed.ts";
import { purgeTombstones, storedVersion } from "./changes.ts";
import {
  findConnection,
  finishSync,
  publishRevision,
  sealedGrant,
  setNeedsReauth,
  setSwept,
  storedBytesOf,
} from "./connections.ts";
import {
  blocksOf,
  collectionsOf,
  columnsOfDatabase,
  forgetCollection,
  recordRowsListed,
  setBlockContainers,
  unstoredCollections,
  upsertCollections,
} from "./containers.ts";
import {
  beginCrawl,
  closeCrawl,
  editsKnownUntil,
  endCrawl,
  lookedUpNodes,
  recordCrawlStart,
  recordEdits,
  recordLookedUp,
} from "./crawl-checkpoints.ts";
import { failContent, removeNodes, setObservations, setParents, upsertNodes } from "./graph-pages.ts";
import {
  contentSizes,
  contentsBetween,
  countGraph,
  isLargerThan,
  readContent,
  readNodeDetail,
  readProperties,
  readUnresolved,
} from "./graph-reading.ts";
import { deleteJob, findJob, type Job, putJob, renewLeases } from "./jobs.ts";
import {
  childrenOf,
  countNodes,
  cutOffNodes,
  type KnownLocation,
  knownFacts,
  knownLocations,
  knownNodes,
  locationsOf,
  nodesFoundBy,
  orphanedNodes,
  settleNodes,
  unsettledNodes,
  unsettleNodes,
} from "./known-nodes.ts";
import { knownEdits } from "./looks.ts";
import { deleteMap, findMap, leaseMap, mapState, releaseMap, saveMap } from "./maps.ts";
import {
  countAwaitedTexts,
  countChangedAfter,
  countPages,
  nodeKeysOf,
  readSearchedPage,
  searchedNodesAfter,
  textsOf,
} from "./page-texts.ts";
import {
  nextRereading,
  nodesAwaitingContent,
  requeueAllTexts,
  requeueDoubtfulTexts,
  requeueDueRereadings,
  requeueTexts,
} from "./reading-list.ts";
import { lastEdits, removalsSince } from "./recent-changes.ts";
import { saveOffsets, textOfLinks, textsToLocate } from "./reference-offsets.ts";
import { redirectToDatabases, referencesOf, saveTargetNames } from "./references.ts";
import { deleteSomeRemoved, removeConnection } from "./removed-connections.ts";
import { readRows } from "./rows.ts";
import {
  databasesShowing,
  describedDatabases,
  nodesShowing,
  nodesWithEarlierTexts,
  recordShownTitles,
  renamedAfter,
  saveRetitled,
  titleRevisions,
  titlesOf,
} from "./shown-titles.ts";
import { nodeKey } from "./statements.ts";
import { countUnshared, failedPages, insertSyncReport, syncReportsOf } from "./sync-reports.ts";

/*
 * Two people may be connected to one workspace. Their graphs then have nodes of the same ids, and each has what its own person
 * shared. A new query of one graph is to be added below.
 */

const minute = 60_000;
const collection = nodeId(90);
const block = nodeId(91);
const ids = Array.from({ length: 20 }, (_, number) => nodeId(number));
const [one, two, three, four] = [nodeId(1), nodeId(2), nodeId(3), nodeId(4)];

const job = (connectionId: number, dueAt: number): Job => ({
  connectionId,
  priority: 1,
  extent: "whole",
  named: [],
  dueAt,
  attempts: 0,
  followUp: null,
  worker: null,
  leasedUntil: null,
});

const found = (size: number) => ({
  id: collection,
  databaseId: four,
  columns: [{ name: `Column ${size}`, type: "text" as const, options: [] }],
});

const map = (size: number) => ({
  graphVersion: size,
  digest: `map ${size}`,
  bytes: Uint8Array.of(size),
  state: Uint8Array.of(size),
});

const text = (markdown: string, ...targets: readonly number[]) => ({
  markdown,
  references: targets.map((number) => referenceTo(number)),
  state: "ready" as const,
});

/**
 * Fills a connection with `size` times six nodes, and with everything else that is stored of a graph. One node of six is removed
 * again. The larger graph has nodes and a text that the smaller one lacks.
 */
async function fill(trx: WriteTransaction, id: number, size: number): Promise<void> {
  if (size === 0) return;
  await beginCrawl(trx, id, size);
  await recordCrawlStart(trx, id, size);
  await recordEdits(trx, id, size);
  for (let group = 0; group < size; group += 1) await fillSix(trx, id, 1 + 6 * group, size);
  if (size > 1) {
    await upsertNodes(trx, id, [page(70), page(80)]);
    await saveContent(trx, id, nodeId(6), text("Of six"));
    await saveContent(trx, id, nodeId(70), text("Of many", ...ids.keys()));
  }
  await upsertCollections(trx, id, [found(size)]);
  await recordRowsListed(trx, id, collection, size);
  await setBlockContainers(trx, id, new Map([[block, size === 1 ? null : one]]));
  await setAuthors(trx, id, [{ id: "author", name: `Ada ${size}` }]);
  await putJob(trx, job(id, size));
  const claim = { connectionId: id, worker: "a worker" };
  await leaseMap(trx, claim, { now: 1, until: 2 });
  await saveMap(trx, claim, map(size));
  await leaseMap(trx, claim, { now: 3, until: 4 });
  await purgeTombstones(trx, id, size);
}

/** Writes the pages with the numbers from `first` on, and a database. */
async function fillSix(trx: WriteTransaction, id: number, first: number, size: number): Promise<void> {
  const [parent, child, failed] = [first, first + 1, first + 2] as const;
  const [table, removed, unread] = [first + 3, first + 4, first + 5] as const;
  const title = (number: number) => ({ title: `Page ${number} of ${size}` });
  const rows = {
    ...title(parent),
    propertyReferences: [referenceTo(90, { type: "relation", name: "Rows" })],
    createdBy: { id: "author", name: null },
    foundBy: "rows",
  } as const;
  await upsertNodes(trx, id, [
    page(parent, rows),
    page(child, { ...title(child), parentId: nodeId(parent), isUnsettled: true }),
    page(failed, { ...title(failed), containerId: block }),
    page(table, {
      ...title(table),
      type: "database",
      description: `${size}`,
      parentId: nodeId(80),
      propertyReferences: [referenceTo(failed)],
    }),
    page(removed),
    page(unread, title(unread)),
  ]);
  await upsertNodes(trx, id, [page(parent, { ...rows, properties: { Size: size }, updatedAt: 1 + size })]);
  const reading = { at: minute / 2, state: "whole" } as const;
  await saveContent(trx, id, nodeId(parent), { ...text(`To two of ${size}`, child, 70 + size), reading });
  await saveContent(trx, id, nodeId(child), {
    ...text(`To one of ${size}`, parent, 70),
    reading: { at: 9 * minute, state: "unsettled" },
  });
  await saveContent(trx, id, nodeId(failed), text(`To none of ${size}`));
  await failContent(trx, id, nodeId(failed), "odd block");
  await saveContent(trx, id, nodeId(table), text(`${size}`));
  await trx
    .updateTable("contents")
    .set({ reference_offsets: null })
    .where("connection_id", "=", id)
    .where("node_id", "=", nodeKey(nodeId(table)))
    .execute();
  await removeNodes(trx, id, [nodeId(removed)], first);
  await recordLookedUp(trx, id, [nodeId(parent)]);
  await insertSyncReport(trx, id, someReport({ fetched: size }));
}

const fillIn = (database: Database, id: number, size: number) =>
  database.transaction((trx) => fill(trx, id, size));

/** The writes to one graph, in an order in which each write has something to change. */
const writes: Readonly<Record<string, (trx: WriteTransaction, id: number) => Promise<unknown>>> = {
  upsertNodes: (trx, id) => upsertNodes(trx, id, [page(1, { title: "Renamed", updatedAt: 5 })]),
  setObservations: (trx, id) =>
    setObservations(trx, id, [{ id: one, containerId: block, foundBy: "crawl", isUnsettled: true }]),
  settleNodes: (trx, id) => settleNodes(trx, id, [one, two]),
  unsettleNodes: (trx, id) => unsettleNodes(trx, id, [one, three]),
  setParents: (trx, id) => setParents(trx, id, [{ id: three, from: null, to: two }]),
  saveContents: (trx, id) =>
    saveContent(trx, id, one, { ...text("To two of 2", 3, 70), reading: { at: 1, state: "whole" } }),
  failContent: (trx, id) => failContent(trx, id, two, "another"),
  requeueDueRereadings: (trx, id) => requeueDueRereadings(trx, id, 9 * minute),
  resaved: (trx, id) =>
    saveContent(trx, id, one, { ...text("Unsure", 3, 70), reading: { at: 1, state: "unsettled" } }),
  requeueDoubtfulTexts: (trx, id) => requeueDoubtfulTexts(trx, id, { roundsEditTimes: false }),
  "resaved twice": (trx, id) => saveContent(trx, id, one, text("Unsure again", 3, 70)),
  requeueTexts: (trx, id) => requeueTexts(trx, id, [one]),
  "resaved at last": (trx, id) => saveContent(trx, id, one, text("Sure", 3, 70)),
  requeueAllTexts: (trx, id) => requeueAllTexts(trx, id),
  saveOffsets: (trx, id) => saveOffsets(trx, id, new Map([[one, [referenceTo(3, { offsets: [1] })]]])),
  saveTargetNames: (trx, id) =>
    saveTargetNames(trx, id, new Map([[one, [referenceTo(3, { targetName: "Three" })]]])),
  redirectToDatabases: (trx, id) => redirectToDatabases(trx, id),
  saveRetitled: (trx, id) =>
    saveRetitled(trx, id, new Map([[four, { markdown: "Retitled", references: [] }]])),
  recordShownTitles: (trx, id) => recordShownTitles(trx, id, 1),
  removeNodes: (trx, id) => removeNodes(trx, id, [two], 100),
  purgeTombstones: (trx, id) => purgeTombstones(trx, id, 100),
  setAuthors: (trx, id) => setAuthors(trx, id, [{ id: "author", name: "Grace" }]),
  upsertCollections: (trx, id) => upsertCollections(trx, id, [found(7)]),
  recordRowsListed: (trx, id) => recordRowsListed(trx, id, collection, 5),
  forgetCollection: (trx, id) => forgetCollection(trx, id, collection),
  setBlockContainers: (trx, id) => setBlockContainers(trx, id, new Map([[block, four]])),
  recordEdits: (trx, id) => recordEdits(trx, id, 99),
  recordLookedUp: (trx, id) => recordLookedUp(trx, id, [four]),
  endCrawl,
  closeCrawl,
  beginCrawl: (trx, id) => beginCrawl(trx, id, 50),
  recordCrawlStart: (trx, id) => recordCrawlStart(trx, id, 50),
  insertSyncReport: (trx, id) => insertSyncReport(trx, id, someReport({ fetched: 9 })),
  putJob: (trx, id) => putJob(trx, { ...job(id, 70), worker: "a worker", leasedUntil: 80 }),
  renewLeases: (trx, id) => renewLeases(trx, "a worker", [id], 90),
  deleteJob,
  leaseMap: (trx, id) => leaseMap(trx, { connectionId: id, worker: "a worker" }, { now: 5, until: 9 }),
  releaseMap: (trx, id) => releaseMap(trx, { connectionId: id, worker: "a worker" }),
  "leaseMap again": (trx, id) =>
    leaseMap(trx, { connectionId: id, worker: "a worker" }, { now: 5, until: 9 }),
  saveMap: (trx, id) => saveMap(trx, { connectionId: id, worker: "a worker" }, map(9)),
  deleteMap,
  publishRevision: (trx, id) => publishRevision(trx, id, 5),
  setSwept: (trx, id) => setSwept(trx, id, 5),
  finishSync: (trx, id) => finishSync(trx, id, { startedAt: 1, now: 5, isComplete: true }),
  setNeedsReauth: (trx, id) => setNeedsReauth(trx, id, 5),
  removeConnection: (trx, id) => removeConnection(trx, id, 5),
  deleteSomeRemoved: (trx) => deleteSomeRemoved(trx, 99),
};

/** All that is stored of a graph, by table, in no order. The row of the connection is left out. */
async function storedOf({ read }: Database, id: number, tables: readonly string[]) {
  const all = new Map<string, readonly string[]>();
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table)} where connection_id = ${id}`.execute(read);
    all.set(table, rows.map((row) => JSON.stringify(row)).sort());
  }
  return all;
}

const connectionRow = async ({ read }: Database, id: number) =>
  (await sql`select * from connections where id = ${id}`.execute(read)).rows;

/** Makes all writes to one graph beside another of this size; returns what each did, and which changed the other graph. */
async function writeBeside(t: TestContext, size: number) {
  const { database, location } = await scratchDatabase(t);
  const columns = (await columnNames(location)).filter((name) => name.endsWith(".connection_id"));
  const tables = columns.map((name) => name.slice(0, name.indexOf(".")));
  const [other, own] = [await someConnection(database), await someConnection(database)];
  await fillIn(database, own, 1);
  await fillIn(database, other, size);
  const stored = async (id: number) => ({
    rows: await storedOf(database, id, tables),
    connection: await connectionRow(database, id),
  });
  const others = await stored(other);
  const done = new Map<string, unknown>();
  const idle: string[] = [];
  const leaking: string[] = [];
  for (const [name, write] of Object.entries(writes)) {
    const before = await stored(own);
    const result = await database.transaction((trx) => write(trx, own));
    const after = await stored(own);
    done.set(name, { result, rows: withoutReports(after.rows) });
    if (isDeepStrictEqual(before, after)) idle.push(name);
    if (!isDeepStrictEqual(await stored(other), others)) leaking.push(name);
  }
  assert.ok(["nodes", "contents", "maps"].every((table) => tables.includes(table)));
  return { done, idle, leaking };
}

/** Reports have ids of their own, which all connections share. */
const withoutReports = (rows: ReadonlyMap<string, readonly string[]>) =>
  new Map([...rows].filter(([table]) => table !== "sync_reports"));

test("a write to one graph changes no other graph of the same nodes, and does the same without it", async (t) => {
  const beside = await writeBeside(t, 2);
  assert.deepEqual(beside.idle, [], "each has something to write");
  assert.deepEqual(beside.leaking, []);
  const alone = await writeBeside(t, 0);
  for (const [name, done] of alone.done) assert.deepEqual(beside.done.get(name), done, name);
});

const start = { revision: 0, key: new Uint8Array() };
const renamed = [1, 3, 7, 9].map((number) => ({ key: nodeKey(nodeId(number)), parentId: nodeId(6) }));

/** The reads of one graph. */
const reads: Readonly<Record<string, (db: ReadHandle, id: number) => unknown>> = {
  authorsOf,
  blocksOf,
  changesOf: (db, id) =>
    changesOf(db, id, { from: { revision: 0, nodeId: null }, upTo: 99, since: 0, seen: 99, limit: 99 }),
  childrenOf: (db, id) => childrenOf(db, id, ids),
  collectionsOf,
  columnsOfDatabase: (db, id) => columnsOfDatabase(db, id, four),
  contentSizes: (db, id) => contentSizes(db, id, null, 99),
  contentsBetween: (db, id) => contentsBetween(db, id, null, nodeId(19)),
  countAwaitedTexts,
  countChangedAfter: (db, id) => countChangedAfter(db, id, start),
  countGraph,
  countNodes,
  countPages,
  countUnshared,
  cutOffNodes,
  databasesShowing: (db, id) => databasesShowing(db, id, ids, renamed),
  describedDatabases,
  editsKnownUntil,
  failedPages: (db, id) => failedPages(db, id, 99),
  findConnection,
  findJob,
  findMap,
  forgottenRevision,
  isLargerThan: (db, id) => isLargerThan(db, id, 6),
  knownEdits: (db, id) => knownEdits(db, id, ids),
  knownFacts: (db, id) => knownFacts(db, id, one),
  knownLocations: async (db, id) => {
    const locations: KnownLocation[] = [];
    for await (const location of knownLocations(db, id)) locations.push(location);
    return locations;
  },
  knownNodes: (db, id) => knownNodes(db, id, ids),
  lastEdits: (db, id) => lastEdits(db, id, ids),
  locationsOf: (db, id) => locationsOf(db, id, ids),
  lookedUpNodes,
  mapState,
  nextRereading: (db, id) => nextRereading(db, id, 9 * minute),
  nodeKeysOf,
  nodesAwaitingContent,
  nodesFoundBy: (db, id) => nodesFoundBy(db, id, ids, ["rows"]),
  nodesShowing: (db, id) => nodesShowing(db, id, renamed),
  nodesWithEarlierTexts,
  orphanedNodes,
  readContent: (db, id) => readContent(db, id, one),
  readNodeDetail: (db, id) => readNodeDetail(db, id, one),
  readProperties: (db, id) => readProperties(db, id, ids),
  readRows: (db, id) => readRows(db, id, ids),
  readSearchedPage: (db, id) => readSearchedPage(db, id, nodeId(6)),
  readUnresolved: (db, id) => readUnresolved(db, id, ids),
  referencesOf: (db, id) => referencesOf(db, id, { nodeId: one, source: "text" }),
  removalsSince: (db, id) => removalsSince(db, id, { since: 0, upTo: 99, after: null, limit: 99 }),
  renamedAfter: (db, id) => renamedAfter(db, id, 0, { position: start, limit: 99 }),
  sealedGrant,
  searchedNodesAfter: (db, id) => searchedNodesAfter(db, id, start, 99),
  storedBytesOf,
  storedVersion,
  syncReportsOf: (db, id) => syncReportsOf(db, id),
  textOfLinks: (db, id) => textOfLinks(db, id, one, ids),
  textsOf: (db, id) => textsOf(db, id, ids.map(nodeKey)),
  textsToLocate: (db, id) => textsToLocate(db, id, 99),
  titleRevisions,
  titlesOf: (db, id) => titlesOf(db, id, ids),
  unsettledNodes,
  unstoredCollections: (db, id) => unstoredCollections(db, id, [found(1)]),
};

test("GRAPH-10: what is read of one graph has nothing of another graph of the same nodes", async (t) => {
  const { database } = await scratchDatabase(t);
  const [other, own] = [await someConnection(database), await someConnection(database)];
  const inNoOrder = (found: unknown) =>
    Array.isArray(found) ? found.map((each) => JSON.stringify(each)).sort() : found;
  const readAll = async (id: number) => {
    const all = new Map<string, unknown>();
    for (const [name, read] of Object.entries(reads)) all.set(name, inNoOrder(await read(database.read, id)));
    return all;
  };
  await fillIn(database, own, 1);
  const before = await readAll(own);
  await fillIn(database, other, 2);
  const [after, others] = [await readAll(own), await readAll(other)];
  for (const [name, found] of before) {
    assert.notDeepEqual(others.get(name), found, `${name} tells them apart`);
    assert.deepEqual(after.get(name), found, `${name} reads one graph`);
  }
});
