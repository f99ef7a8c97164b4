import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someUser } from "../testing/scratch.ts";
import {
  endSession,
  findLiveSession,
  findSession,
  listLiveSessions,
  liveSessions,
  openSession,
  purgeSessions,
  refreshSession,
} from "./sessions.ts";

const hour = 3_600_000;
const session = { id: "session", userAgent: "a browser", createdAt: 1000, refreshExpiresAt: 5000 };

test("SESS-8: a session lives until its refresh token expires", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  await database.transaction((trx) => openSession(trx, { ...session, userId }));
  assert.deepEqual(await findLiveSession(database.read, "session", 4999), {
    userId,
    createdAt: 1000,
    refreshExpiresAt: 5000,
    endedAt: null,
  });
  assert.equal(await findLiveSession(database.read, "session", 5000), null);
});

test("SESS-8: a session whose row is missing has ended", async (t) => {
  const { database } = await scratchDatabase(t);
  assert.equal(await findLiveSession(database.read, "session", 1), null);
  assert.equal(await findSession(database.read, "session"), null);
});

test("SESS-4: a session ends at once, and keeps the time of its first end", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  await database.transaction((trx) => openSession(trx, { ...session, userId }));
  assert.deepEqual(await findSession(database.read, "session"), {
    userId,
    createdAt: 1000,
    refreshExpiresAt: 5000,
    endedAt: null,
  });
  await database.transaction((trx) => endSession(trx, "session", 2000));
  await database.transaction((trx) => endSession(trx, "session", 3000));
  assert.equal(await findLiveSession(database.read, "session", 2000), null);
  assert.equal((await findSession(database.read, "session"))?.endedAt, 2000);
});

test("SESS-3: a refresh is recorded and neither ends nor extends the session", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  await database.transaction((trx) => openSession(trx, { ...session, userId }));
  await database.transaction((trx) => refreshSession(trx, "session", 4000));
  const row = await database.read.selectFrom("sessions").select("last_refreshed_at").executeTakeFirst();
  assert.equal(row?.last_refreshed_at, 4000);
  assert.equal((await findLiveSession(database.read, "session", 4500))?.refreshExpiresAt, 5000);
});

test("SESS-8: rows are kept until four hours after the refresh token expires", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  await database.transaction(async (trx) => {
    await openSession(trx, { ...session, userId });
    await openSession(trx, { ...session, userId, id: "later", refreshExpiresAt: 5001 });
  });
  const purge = (now: number) => database.transaction((trx) => purgeSessions(trx, now));
  assert.equal(await purge(4999 + 4 * hour), 0);
  assert.equal(await purge(5000 + 4 * hour), 1);
  assert.equal(await findSession(database.read, "session"), null);
  assert.notEqual(await findSession(database.read, "later"), null);
});

test("SESS-9: a user's sessions go with the user", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  await database.transaction((trx) => openSession(trx, { ...session, userId }));
  await database.transaction((trx) => trx.deleteFrom("users").where("id", "=", userId).execute());
  assert.equal(await findLiveSession(database.read, "session", 1000), null);
});

test("SESS-8: a person's live sessions are listed newest first, in parts that follow one another", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const open = (id: string, createdAt: number, owner = userId, refreshExpiresAt = 5000) =>
    database.transaction((trx) =>
      openSession(trx, { ...session, userId: owner, id, createdAt, refreshExpiresAt }),
    );
  await open("b", 1000);
  await open("c", 1000);
  await open("a", 1000);
  await open("newest", 2000);
  await open("oldest", 500);
  await open("expired", 600, userId, 3000);
  await open("ended", 700);
  await open("theirs", 800, await someUser(database));
  await database.transaction((trx) => endSession(trx, "ended", 900));
  const part = async (limit: number, after?: { readonly id: string; readonly createdAt: number }) =>
    (await listLiveSessions(database.read, userId, { now: 3000, after, limit })).map(({ id }) => id);
  assert.deepEqual(await part(9), ["newest", "c", "b", "a", "oldest"]);
  assert.deepEqual(await part(2), ["newest", "c"]);
  assert.deepEqual(await part(2, { id: "c", createdAt: 1000 }), ["b", "a"]);
  assert.deepEqual(await part(2, { id: "a", createdAt: 1000 }), ["oldest"]);
  const live = async (owner: string | null) =>
    (await liveSessions(database.read, owner, 3000)).map(({ id }) => id);
  assert.deepEqual(await live(userId), ["a", "b", "c", "newest", "oldest"]);
  assert.deepEqual(await live(null), ["a", "b", "c", "newest", "oldest", "theirs"]);
});
