import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { until } from "@clew/stand-in/testing/until";
import { sql } from "kysely";
import type { Connection } from "../model/connection.ts";
import type { Database } from "../store/port.ts";
import { findConnection, publishRevision } from "../store/queries/connections.ts";
import { upsertNodes } from "../store/queries/graph-pages.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { versionGraceMs } from "./graph-cache.ts";
import { Graphs } from "./graphs.ts";

/** A connection in a database of its own, and a clock that only the test moves. */
async function setUp(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const time = { now: 1_000_000 };
  const errors: unknown[] = [];
  const instance = () =>
    new Graphs({ database, clock: () => time.now, onError: (error) => errors.push(error) });
  return {
    database,
    id,
    time,
    errors,
    instance,
    connection: () => connectionOf(database, id),
    /** Adds pages without publishing them. */
    add: (...numbers: number[]) =>
      database.transaction(async (trx) => {
        await upsertNodes(
          trx,
          id,
          numbers.map((number) => page(number)),
        );
      }),
  };
}

async function connectionOf(database: Database, id: number): Promise<Connection> {
  const connection = await findConnection(database.read, id);
  if (!connection) throw new Error("the connection is gone");
  return connection;
}

/** Makes every reading of nodes fail until the function that it returns is called. */
async function breakNodes(database: Database): Promise<() => Promise<void>> {
  await database.transaction((trx) => sql`alter table nodes rename to nodes_away`.execute(trx));
  return async () => {
    await database.transaction((trx) => sql`alter table nodes_away rename to nodes`.execute(trx));
  };
}

test("a connection that was never synced has a graph without nodes", async (t) => {
  const { instance, connection } = await setUp(t);
  const { graph, version } = await instance().current(await connection());
  assert.deepEqual([graph.nodeCount, graph.edgeCount, version], [0, 0, 0]);
});

test("the first use builds the graph from the store, and simultaneous ones share it", async (t) => {
  const { instance, connection, add } = await setUp(t);
  await add(1, 2);
  const graphs = instance();
  const unloaded = await connection();
  assert.equal(graphs.loaded(unloaded), null);
  const [first, second] = await Promise.all([graphs.current(unloaded), graphs.current(unloaded)]);
  assert.equal(first.graph.nodeCount, 2);
  assert.equal(first, second);
  assert.equal(await graphs.current(unloaded), first);
  assert.equal(graphs.loaded(unloaded), first);
});

test("GRAPH-1: the size of a graph that another instance has published is known soon, without a read of the graph", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const [one, other] = [instance(), instance()];
  await one.publish(id);
  await other.current(await connection());
  await add(2);
  await one.publish(id);
  const sizeAt = async (graphs: Graphs) => graphs.loaded(await connection())?.graph.nodeCount;
  assert.equal(await sizeAt(one), 2);
  await until(async () => (await sizeAt(other)) === 2);
});

test("SYNC-2: a running instance does not serve what is not published", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const graphs = instance();
  await graphs.publish(id);
  await add(2);
  assert.equal((await graphs.current(await connection())).graph.has(nodeId(2)), false);
  await graphs.publish(id);
  assert.equal((await graphs.current(await connection())).graph.has(nodeId(2)), true);
});

test("GRAPH-12: a replaced graph stays readable for a minute", async (t) => {
  const { id, instance, connection, add, time } = await setUp(t);
  await add(1);
  const graphs = instance();
  await graphs.publish(id);
  const before = await graphs.current(await connection());
  await add(2);
  await graphs.publish(id);

  const after = await graphs.current(await connection());
  assert.notEqual(after.version, before.version);
  assert.equal(after.graph.nodeCount, 2);
  time.now += versionGraceMs;
  assert.equal(await graphs.version(await connection(), before.version), before);
  assert.equal(before.graph.nodeCount, 1, "a graph never changes");
  assert.equal(await graphs.version(await connection(), after.version), after);
  time.now += 1;
  assert.equal(await graphs.version(await connection(), before.version), null);
  assert.equal(await graphs.version(await connection(), after.version), after);
});

test("GRAPH-12: publishing an unchanged graph makes no new version", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const graphs = instance();
  await graphs.publish(id);
  const before = await graphs.current(await connection());
  await add(1);
  await graphs.publish(id);
  assert.equal(await graphs.current(await connection()), before);
});

test("GRAPH-12: a version outlives a restart as long as nothing changed", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const before = instance();
  await before.publish(id);
  const { version } = await before.current(await connection());
  assert.equal((await instance().version(await connection(), version))?.version, version);
  await add(2);
  assert.equal(await instance().version(await connection(), version), null);
});

test("an instance serves the older graph until it has built what another published", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const [here, there] = [instance(), instance()];
  await here.publish(id);
  const older = await there.current(await connection());
  await add(2);
  await here.publish(id);

  assert.equal(await there.current(await connection()), older);
  await until(async () => (await there.current(await connection())) !== older);
  assert.equal((await there.current(await connection())).graph.nodeCount, 2);
  assert.equal(await there.version(await connection(), older.version), older);
});

test("an instance whose graph has no pages waits for the first ones that another published", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  const [here, there] = [instance(), instance()];
  assert.equal((await there.current(await connection())).graph.nodeCount, 0);
  await add(1);
  await here.publish(id);
  assert.equal((await there.current(await connection())).graph.nodeCount, 1);
});

test("GRAPH-12: an instance catches up when a list was begun on an instance that is ahead", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const [here, there] = [instance(), instance()];
  await here.publish(id);
  await there.current(await connection());
  await add(2);
  await here.publish(id);
  const { version } = await here.current(await connection());
  assert.equal((await there.version(await connection(), version))?.graph.nodeCount, 2);
});

test("what is published during a build is in the next one, which follows at once", async (t) => {
  const { id, instance, connection, add } = await setUp(t);
  await add(1);
  const graphs = instance();
  const building = graphs.current(await connection());
  await add(2);
  await Promise.all([graphs.publish(id), graphs.publish(id)]);
  await building;
  assert.equal((await graphs.current(await connection())).graph.nodeCount, 2);
});

test("a first build that fails is tried again", async (t) => {
  const { database, instance, connection, add } = await setUp(t);
  await add(1);
  const graphs = instance();
  const mend = await breakNodes(database);
  await assert.rejects(async () => graphs.current(await connection()), /no such table|does not exist/);
  await mend();
  assert.equal((await graphs.current(await connection())).graph.nodeCount, 1);
});

test("if a newer graph cannot be built, the older is served on and the error is reported", async (t) => {
  const { database, id, instance, connection, add, errors } = await setUp(t);
  await add(1);
  const graphs = instance();
  await graphs.publish(id);
  const older = await graphs.current(await connection());
  await add(2);
  await database.transaction((trx) => publishRevision(trx, id, 1));

  const mend = await breakNodes(database);
  assert.equal(await graphs.current(await connection()), older);
  await until(() => errors.length > 0);
  assert.match(String(errors[0]), /no such table|does not exist/);
  assert.equal(await graphs.current(await connection()), older);
  await mend();
  await until(async () => (await graphs.current(await connection())).graph.nodeCount === 2);
});

test("publishing a removed connection fails", async (t) => {
  const { database, id, instance } = await setUp(t);
  await database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
  await assert.rejects(instance().publish(id), /gone/);
});

test("GRAPH-15: the graph of a removed connection is dropped, and a running build does not bring it back", async (t) => {
  const { add, connection, id, instance } = await setUp(t);
  const graphs = instance();
  await add(1);
  await graphs.publish(id);
  const held = await connection();
  assert.notEqual(graphs.loaded(held), null);
  await add(2);
  const building = graphs.publish(id);
  graphs.forget(id);
  await building;
  assert.equal(graphs.loaded(held), null);
});

test("OPS-3: what is published after closing is in the store, and the next instance builds it", async (t) => {
  const { add, connection, id, instance } = await setUp(t);
  const graphs = instance();
  await add(1);
  await graphs.close();
  await graphs.publish(id);
  assert.equal(graphs.loaded(await connection()), null);
  assert.equal((await instance().current(await connection())).graph.nodeCount, 1);
});

test("a graph released for others is built again on its next use, as the same version", async (t) => {
  const { add, connection, database } = await setUp(t);
  await add(1);
  const graphs = new Graphs({ database, clock: () => 0, budget: 1 });
  const before = await graphs.current(await connection());
  const other = await connectionOf(database, await someConnection(database));
  await graphs.current(other);
  assert.equal(graphs.loaded(await connection()), null);
  const again = await graphs.current(await connection());
  assert.notEqual(again.graph, before.graph);
  assert.equal(again.version, before.version);
  assert.equal(graphs.loaded(other), null);
});
