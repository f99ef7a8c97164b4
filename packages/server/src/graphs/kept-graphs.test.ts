import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { search } from "@clew/graph";
import fc from "fast-check";
import { pino } from "pino";
import { graphFilePath, graphFolder } from "../config/data-dir.ts";
import type { Connection } from "../model/connection.ts";
import { storedVersion } from "../store/queries/changes.ts";
import { findConnection, liveIds } from "../store/queries/connections.ts";
import { removeNodes, upsertNodes } from "../store/queries/graph-pages.ts";
import { removeConnection } from "../store/queries/removed-connections.ts";
import { nodeId, page, scratchDatabase, scratchFolder, someConnection } from "../store/testing/scratch.ts";
import { GraphFiles } from "./graph-files.ts";
import { Graphs } from "./graphs.ts";

const fingerprint = new Uint8Array(32);

/** A connection, and instances of Clew that share a database and a DATA_DIR. */
async function setUp(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const dataDir = await scratchFolder(t);
  const folder = graphFolder(dataDir, fingerprint);
  let builds = 0;
  const counting: typeof database = {
    ...database,
    graphRows(connectionId, use) {
      builds += 1;
      return database.graphRows(connectionId, use);
    },
  };
  const connection = async (connectionId = id): Promise<Connection> => {
    const found = await findConnection(database.read, connectionId);
    assert.ok(found !== null);
    return found;
  };
  const instance = (budget = 2 ** 30) => {
    const clock = Date.now;
    const log = pino({ level: "silent" });
    const files = new GraphFiles({ dataDir, fingerprint, maxBytes: Number.MAX_VALUE, clock, log });
    const graphs = new Graphs({ database: counting, clock, files, budget });
    return { graphs, files, current: async () => graphs.current(await connection()) };
  };
  return {
    database,
    id,
    folder,
    connection,
    instance,
    names: () => readdir(folder).catch(() => []),
    /** Counts the graphs that are built meanwhile. */
    async buildsIn<T>(work: () => Promise<T>): Promise<[result: T, builds: number]> {
      const before = builds;
      return [await work(), builds - before];
    },
    /** Publishes more pages, and keeps the graph. */
    async publish(numbers: readonly number[], { graphs, files } = instance()) {
      await database.transaction((trx) =>
        upsertNodes(
          trx,
          id,
          numbers.map((number) => page(number, { title: `Page ${number}` })),
        ),
      );
      await graphs.publish(id);
      await files.settled();
    },
  };
}

test("a graph is read after a restart instead of built, with the same version and answers", async (t) => {
  const { instance, publish, buildsIn } = await setUp(t);
  const before = instance();
  await publish([1, 2, 3], before);
  const [read, builds] = await buildsIn(instance().current);
  assert.equal(builds, 0);
  const built = await before.current();
  assert.equal(read.version, built.version);
  assert.deepEqual(read.graph.columns, built.graph.columns);
  const found = search(read.graph, { query: "page 2", limit: 1 });
  assert.deepEqual(found, search(built.graph, { query: "page 2", limit: 1 }));
});

test("a graph that has changed since is built", async (t) => {
  const { database, id, instance, publish, buildsIn } = await setUp(t);
  await publish([1]);
  await database.transaction((trx) => upsertNodes(trx, id, [page(2)]));
  const [{ graph }, builds] = await buildsIn(instance().current);
  assert.deepEqual([graph.has(nodeId(2)), builds], [true, 1]);
});

test("a graph that left memory for another one is read again", async (t) => {
  const { database, instance, buildsIn, publish, connection } = await setUp(t);
  const small = instance(1);
  await publish([1], small);
  const other = await someConnection(database);
  await database.transaction((trx) => upsertNodes(trx, other, [page(1)]));
  await small.graphs.current(await connection(other));
  assert.equal(small.graphs.loaded(await connection()), null);
  const [{ graph }, builds] = await buildsIn(small.current);
  assert.deepEqual([graph.has(nodeId(1)), builds], [true, 0]);
});

test("a damaged file never changes an answer: the graph is built anew, and kept again", async (t) => {
  const { id, folder, instance, publish } = await setUp(t);
  await publish([1, 2, 3]);
  const path = graphFilePath(folder, id);
  const content = await readFile(path);
  const { graph: expected } = await instance().current();
  const damage = fc.record({
    length: fc.nat(content.length),
    at: fc.nat(content.length - 1),
    bits: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ length, at, bits }) => {
      const damaged = Buffer.from(content);
      damaged[at] = (damaged[at] ?? 0) ^ bits;
      await writeFile(path, damaged.subarray(0, length < content.length / 2 ? length : content.length));
      const { files, current } = instance();
      assert.deepEqual((await current()).graph.columns, expected.columns);
      await files.settled();
      assert.deepEqual(await readFile(path), content);
    }),
    { numRuns: 40 },
  );
});

test("OPS-7: after a restore, a graph of the same revision with other pages is not taken from a file", async (t) => {
  const { database, id, instance, publish, buildsIn } = await setUp(t);
  await publish([1]);
  const backup = await storedVersion(database.read, id);
  assert.ok(backup !== null);
  await publish([2]);
  const lost = await storedVersion(database.read, id);
  // The database as it was: without page 2, and with the revision of then.
  await database.transaction(async (trx) => {
    await removeNodes(trx, id, [nodeId(2)], 1);
    await trx
      .updateTable("connections")
      .set({ revision: backup.revision, graph_mark: backup.mark, published_revision: backup.revision })
      .where("id", "=", id)
      .execute();
  });
  // A sync finds another page, before any instance has looked at the file.
  await database.transaction((trx) => upsertNodes(trx, id, [page(3)]));
  assert.equal((await storedVersion(database.read, id))?.revision, lost?.revision);
  const [{ graph }, builds] = await buildsIn(instance().current);
  assert.deepEqual([graph.has(nodeId(2)), graph.has(nodeId(3)), builds], [false, true, 1]);
});

test("two processes with one DATA_DIR serve the same graphs, and the second reads what the first built", async (t) => {
  const { id, instance, publish, buildsIn } = await setUp(t);
  const [first, second] = [instance(), instance()];
  for (const number of [1, 2, 3]) {
    await publish([number], first);
    const [published, builds] = await buildsIn(async () => {
      await second.graphs.publish(id);
      return second.current();
    });
    assert.deepEqual([published.graph.nodeCount, builds], [number, 0]);
  }
});

test("GRAPH-15: nothing of a removed connection is left in files, and no instance reads one", async (t) => {
  const { database, id, instance, publish, names } = await setUp(t);
  const [own, other] = [instance(), instance()];
  await publish([1], own);
  await database.transaction((trx) => removeConnection(trx, id, 1));
  // Another instance than the one that removed it.
  await other.files.tend((ids) => liveIds(database.read, ids));
  assert.deepEqual(await names(), []);
  own.graphs.forget(id);
  await own.files.settled();
  assert.deepEqual(await names(), []);
});

test("a connection that was never synced leaves no file", async (t) => {
  const { instance, names } = await setUp(t);
  const { files, current } = instance();
  assert.equal((await current()).graph.nodeCount, 0);
  await files.settled();
  assert.deepEqual(await names(), []);
});
