import assert from "node:assert/strict";
import { test } from "node:test";
import { createCommitCache } from "./commit-cache.ts";
import { openDatabase } from "./database.ts";
import { endSession, findSession, openSession } from "./queries/sessions.ts";
import { scratchDatabase, someUser } from "./testing/scratch.ts";

test("TOK-8: what was remembered is read again after any commit, another connection's included", async (t) => {
  const { database, path } = await scratchDatabase(t);
  const elsewhere = await openDatabase({ path });
  t.after(() => elsewhere.close());
  const userId = await someUser(database);
  const session = { id: "s", userId, userAgent: null, createdAt: 1, refreshExpiresAt: 100 };
  await database.transaction((trx) => openSession(trx, session));
  let reads = 0;
  const ended = async () => {
    await database.memory.refresh();
    const found = await database.memory.remember("session s", () => {
      reads += 1;
      return findSession(database.read, "s");
    });
    return found?.endedAt ?? null;
  };
  assert.deepEqual([await ended(), await ended(), reads], [null, null, 1]);
  await elsewhere.transaction((trx) => endSession(trx, "s", 7));
  assert.deepEqual([await ended(), await ended(), reads], [7, 7, 2]);
  await someUser(database);
  assert.deepEqual([await ended(), reads], [7, 3]);
});

test("TOK-8: requests that arrive together share one look, which comes after all of them", async () => {
  let looks = 0;
  const memory = createCommitCache(() => {
    looks += 1;
    return looks;
  }, 10);
  const first = memory.refresh();
  await Promise.resolve();
  const second = memory.refresh();
  assert.equal(looks, 0);
  await Promise.all([first, second]);
  assert.equal(looks, 1);
  await memory.refresh();
  assert.equal(looks, 2);
});

test("a look that fails is told to those who wait for it, and not to the next", async () => {
  let away = true;
  const memory = createCommitCache(() => {
    if (away) throw new Error("away");
    return 1;
  }, 10);
  await assert.rejects(Promise.all([memory.refresh(), memory.refresh()]), /away/);
  away = false;
  await memory.refresh();
});

test("a read that fails is not remembered", async () => {
  const { remember } = createCommitCache(() => 1, 10);
  await assert.rejects(async () => remember("key", () => Promise.reject(new Error("away"))));
  assert.equal(await remember("key", async () => "back"), "back");
});

test("a memory that is full begins anew", async () => {
  const { remember } = createCommitCache(() => 1, 2);
  let reads = 0;
  const read = async () => {
    reads += 1;
  };
  for (const key of ["a", "b", "a", "b", "c", "a"]) await remember(key, read);
  assert.equal(reads, 4);
});
