import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase } from "../testing/scratch.ts";
import { bucketOfPerson, lastInhabited, resettlePerson, settlePerson } from "./people.ts";

test("OPS-13: the directory says in which bucket a person lives, and settles no person twice", async (t) => {
  const { database } = await scratchDatabase(t);
  const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
  const of = (person: Uint8Array) => bucketOfPerson(database.read, person);
  assert.deepEqual([await of(one), await lastInhabited(database.read)], [null, 0]);
  await database.transaction((trx) => settlePerson(trx, one, 3));
  await database.transaction((trx) => resettlePerson(trx, other, 2));
  assert.deepEqual([await of(one), await of(other), await lastInhabited(database.read)], [3, 2, 3]);
  await assert.rejects(database.transaction((trx) => settlePerson(trx, one, 4)));
  await database.transaction((trx) => resettlePerson(trx, one, 1));
  assert.deepEqual([await of(one), await of(other), await lastInhabited(database.read)], [1, 2, 2]);
});
