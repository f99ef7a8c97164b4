import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { ReadHandle } from "../port.ts";
import { onPostgres } from "../testing/location.ts";
import { scratchDatabase } from "../testing/scratch.ts";
import { sharedRead } from "./shared-reads.ts";

/** A read that doubles numbers, and the lists of keys that it was called with. */
function doubling(fails = (_keys: readonly number[]) => false) {
  const calls: (readonly number[])[] = [];
  const double = sharedRead(async (_db: ReadHandle, keys: readonly number[]) => {
    calls.push([...keys]);
    if (fails(keys)) throw new Error("away");
    return keys.map((key) => 2 * key);
  });
  return { calls, double };
}

test("OPS-8: reads of one turn of the event loop share a statement where it is a round trip", async (t) => {
  const { database } = await scratchDatabase(t);
  const { calls, double } = doubling();
  const asked = [1, 2, 3].map((key) => double(database.read, key));
  assert.deepEqual(await Promise.all(asked), [2, 4, 6]);
  assert.deepEqual(calls, onPostgres ? [[1, 2, 3]] : [[1], [2], [3]]);
});

test("a read that comes after the statement was sent has another one", async (t) => {
  const { database } = await scratchDatabase(t);
  const { calls, double } = doubling();
  const first = double(database.read, 1);
  await setImmediate();
  await setImmediate();
  assert.deepEqual([await double(database.read, 2), await first], [4, 2]);
  assert.deepEqual(calls, [[1], [2]]);
});

test("reads in a transaction are its own", async (t) => {
  const { database } = await scratchDatabase(t);
  const { calls, double } = doubling();
  await database.snapshot((db) => Promise.all([double(db, 1), double(db, 2)]));
  assert.deepEqual(calls, [[1], [2]]);
});

test("a statement that fails fails those that share it, and not the next", async (t) => {
  const { database } = await scratchDatabase(t);
  const { double } = doubling((keys) => keys.includes(1));
  await assert.rejects(Promise.all([double(database.read, 1)]), /away/);
  assert.equal(await double(database.read, 2), 4);
});

test("many reads are shared out among statements", async (t) => {
  const { database } = await scratchDatabase(t);
  const { calls, double } = doubling();
  const keys = Array.from({ length: 150 }, (_, index) => index);
  assert.deepEqual(
    await Promise.all(keys.map((key) => double(database.read, key))),
    keys.map((key) => 2 * key),
  );
  assert.deepEqual(calls.flat(), keys);
  assert.ok(calls.every(({ length }) => length <= 64));
});
