import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someConnection } from "../testing/scratch.ts";
import { deleteMap, findMap, leaseMap, mapBytes, mapState, releaseMap, saveMap } from "./maps.ts";
import { removeConnection } from "./removed-connections.ts";

test("GRAPH-30: one instance at a time has the lease of a map, until it ends, is released or the map is stored", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  const lease = (worker: string, now: number, connectionId = id) =>
    database.transaction((trx) => leaseMap(trx, { connectionId, worker }, { now, until: now + 10 }));
  const release = (worker: string) =>
    database.transaction((trx) => releaseMap(trx, { connectionId: id, worker }));
  assert.deepEqual([await lease("one", 1), await lease("two", 1, other)], [true, true]);
  assert.deepEqual([await lease("two", 10), await lease("one", 5)], [false, true], "it may be renewed");
  assert.deepEqual([await lease("two", 14), await lease("two", 15)], [false, true]);
  await release("one");
  assert.equal(await lease("one", 16), false, "the lease of another is not released");
  await release("two");
  assert.equal(await lease("one", 16), true);
  assert.equal(await lease("one", 1, other), false, "that of another map stays");

  const map = { graphVersion: 7, digest: "d", bytes: Uint8Array.of(1, 2), state: Uint8Array.of(3) };
  const save = (worker: string) =>
    database.transaction((trx) => saveMap(trx, { connectionId: id, worker }, map));
  assert.deepEqual([await findMap(database.read, id), await save("two")], [null, false]);
  assert.equal(await save("one"), true);
  assert.deepEqual(await findMap(database.read, id), { graphVersion: 7, digest: "d" });
  const stored = [await mapBytes(database.read, id, "d"), await mapState(database.read, id)];
  assert.deepEqual(
    stored.map((bytes) => [...(bytes ?? [])]),
    [[1, 2], [3]],
  );
  assert.equal(await mapBytes(database.read, id, "another"), null);
  assert.deepEqual([await findMap(database.read, other), await mapState(database.read, other)], [null, null]);
  assert.equal(await lease("two", 17), true);
  await database.transaction((trx) => removeConnection(trx, other, 20));
  assert.equal(await lease("two", 30, other), false);
});

test("GRAPH-30: a map goes with its connection, and those of others stay", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  assert.deepEqual([await findMap(database.read, id), await mapState(database.read, id)], [null, null]);
  const map = { graphVersion: 7, digest: "d", bytes: Uint8Array.of(1), state: Uint8Array.of(2) };
  for (const connectionId of [id, other]) {
    const claim = { connectionId, worker: "one" };
    await database.transaction(async (trx) => {
      await leaseMap(trx, claim, { now: 1, until: 2 });
      await saveMap(trx, claim, map);
    });
  }
  await database.transaction((trx) => deleteMap(trx, id));
  assert.deepEqual([await findMap(database.read, id), await mapBytes(database.read, id, "d")], [null, null]);
  assert.deepEqual(await findMap(database.read, other), { graphVersion: 7, digest: "d" });
});
