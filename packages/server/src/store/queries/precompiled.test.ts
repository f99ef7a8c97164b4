import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someUser } from "../testing/scratch.ts";
import { precompiled } from "./precompiled.ts";

test("a precompiled query answers for the arguments of each call, in and out of transactions", async (t) => {
  const { database } = await scratchDatabase(t);
  const users = [await someUser(database), await someUser(database)];
  const userById = precompiled((db, id: string) => db.selectFrom("users").select("id").where("id", "=", id));
  for (const id of users) {
    assert.deepEqual(await userById(database.read, id), [{ id }]);
    assert.deepEqual(await database.transaction((trx) => userById(trx, id)), [{ id }]);
  }
  assert.deepEqual(await userById(database.read, "nobody"), []);
});

test("a precompiled query serves several databases", async (t) => {
  const one = await scratchDatabase(t);
  const other = await scratchDatabase(t);
  const id = await someUser(one.database);
  const userById = precompiled((db, wanted: string) =>
    db.selectFrom("users").select("id").where("id", "=", wanted),
  );
  assert.deepEqual(await userById(one.database.read, id), [{ id }]);
  assert.deepEqual(await userById(other.database.read, id), []);
});

test("a query that does not take its arguments in order is refused at its first use", async (t) => {
  const { database } = await scratchDatabase(t);
  const swapped = precompiled((db, id: string, name: string) =>
    db.selectFrom("users").select("id").where("name", "=", name).where("id", "=", id),
  );
  const constant = precompiled((db, id: string) =>
    db.selectFrom("users").select("id").where("id", "=", id).where("provider", "=", "some"),
  );
  await assert.rejects(swapped(database.read, "1", "2"), /in order/);
  await assert.rejects(constant(database.read, "1"), /in order/);
});
