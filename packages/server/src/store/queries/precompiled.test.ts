import assert from "node:assert/strict";
import { test } from "node:test";
import { onPostgres } from "../testing/location.ts";
import { scratchDatabase, someUser } from "../testing/scratch.ts";
import { precompiled, precompiledLists } from "./precompiled.ts";

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

test("a query over lists answers for each of their lengths, and is built once for each power of two", async (t) => {
  const { database } = await scratchDatabase(t);
  const users: string[] = [];
  for (let number = 0; number < 9; number += 1) users.push(await someUser(database));
  let built = 0;
  const usersIn = precompiledLists((db, ids: readonly string[], providers: readonly string[]) => {
    built += 1;
    return db.selectFrom("users").select("id").where("id", "in", ids).where("provider", "in", providers);
  });
  assert.deepEqual(await usersIn(database.read, [], []), []);
  assert.equal(built, 0);
  for (const length of [1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 3]) {
    const found = await usersIn(database.read, users.slice(0, length), ["some"]);
    assert.deepEqual(new Set(found.map(({ id }) => id)), new Set(users.slice(0, length)));
    assert.equal(found.length, length);
  }
  assert.deepEqual(await usersIn(database.read, users, ["another", "none"]), []);
  assert.deepEqual(await usersIn(database.read, users, []), []);
  // Lengths of ids: 1, 2, 4, 8 and 16 with one provider, then 16 with two and with none. PostgreSQL takes a list as one parameter.
  assert.equal(built, onPostgres ? 1 : 7);
});
