import assert from "node:assert/strict";
import { test } from "node:test";
import { activityLimits } from "@clew/contract";
import { createAuthFixture } from "../auth/testing/auth-fixture.ts";
import type { ActivityDatabase } from "../store/activity-tables.ts";
import { activeTokens, latestCalls, sumsSince } from "../store/queries/activity.ts";
import { deleteUser } from "../store/queries/users.ts";
import { nodeId } from "../store/testing/scratch.ts";
import { unavailableError } from "../store/testing/unavailable.ts";
import { ActivityLog, type RecordedCall } from "./activity-log.ts";

type Fixture = Awaited<ReturnType<typeof createAuthFixture>>;

function logOn({ clock }: Fixture, database: Fixture["database"], onError = assert.ifError): ActivityLog {
  return new ActivityLog({ database, clock, monotonic: () => performance.now(), days: 30, onError });
}

const call = (tokenId: number, given: Partial<RecordedCall> = {}): RecordedCall => ({
  tokenId,
  at: 0,
  operation: "search",
  words: null,
  pages: [],
  status: 200,
  ms: 1,
  ...given,
});

const ofAll = { after: 0, since: 0, limit: 1000 };

test("APP-9: several instances add up, and number calls one after the other", async (t) => {
  const fixture = await createAuthFixture(t);
  const { database } = await fixture.instance();
  const { id } = await fixture.serviceToken((await fixture.signUp("a")).id);
  const logs = [logOn(fixture, fixture.database), logOn(fixture, database)];
  for (let number = 1; number <= 30; number += 1)
    for (const [index, log] of logs.entries())
      log.record(call(id, { words: `${index} ${number}`, pages: [nodeId(1), nodeId(2 + number)] }));
  await Promise.all(logs.map((log) => log.close()));
  const [calls, sums] = await database.activity.read(async (db) => [
    await latestCalls(db, id, ofAll),
    await sumsSince(db, id, 0),
  ]);
  assert.deepEqual(sums, { calls: 60, refused: 0, pages: 31 });
  assert.equal(new Set(calls.map(({ words }) => words)).size, 60);
});

test("APP-9: what could not be written is written later, in order", async (t) => {
  const fixture = await createAuthFixture(t);
  const { id } = await fixture.serviceToken((await fixture.signUp("a")).id);
  const { activity } = fixture.database;
  let isAway = true;
  const write: ActivityDatabase["write"] = (work) =>
    isAway ? Promise.reject(unavailableError()) : activity.write(work);
  const log = logOn(fixture, { ...fixture.database, activity: { ...activity, read: activity.read, write } });
  log.record(call(id, { words: "first", pages: [nodeId(1)] }));
  await assert.rejects(log.flush());
  log.record(call(id, { words: "second", pages: [nodeId(1)], status: 403 }));
  await assert.rejects(log.flush());
  isAway = false;
  log.record(call(id, { words: "third" }));
  await log.flush();
  const calls = await fixture.database.activity.read((db) => latestCalls(db, id, ofAll));
  assert.deepEqual(
    calls.map(({ words }) => words),
    ["third", "second", "first"],
  );
  assert.deepEqual(await fixture.database.activity.read((db) => sumsSince(db, id, 0)), {
    calls: 3,
    refused: 1,
    pages: 1,
  });
});

test("APP-9: an account that is deleted while its calls are written leaves none", async (t) => {
  const fixture = await createAuthFixture(t);
  const owner = await fixture.signUp("a");
  const { id } = await fixture.serviceToken(owner.id);
  const { activity } = fixture.database;
  const write: ActivityDatabase["write"] = async (work) => {
    await fixture.database.transaction((trx) => deleteUser(trx, owner.id));
    return activity.write(work);
  };
  const log = logOn(fixture, { ...fixture.database, activity: { ...activity, read: activity.read, write } });
  log.record(call(id));
  await log.flush();
  assert.deepEqual(await activity.read((db) => activeTokens(db, { after: 0, limit: 9 })), []);
});

test("APP-9: memory stays bounded while nothing can be written", async (t) => {
  const fixture = await createAuthFixture(t);
  const { id } = await fixture.serviceToken((await fixture.signUp("a")).id);
  const log = logOn(fixture, fixture.database);
  const ids = Array.from({ length: 12_000 }, (_, number) => nodeId(number));
  const many = 3 * activityLimits.calls;
  for (let number = 0; number < many; number += 1)
    log.record(call(id, { words: `${number}`, pages: ids.slice(8 * number, 8 * number + 8) }));
  await log.flush();
  const [calls, sums] = await fixture.database.activity.read(async (db) => [
    await latestCalls(db, id, ofAll),
    await sumsSince(db, id, 0),
  ]);
  assert.deepEqual([calls.length, calls[0]?.words], [activityLimits.calls, `${many - 1}`]);
  assert.deepEqual(sums, { calls: many, refused: 0, pages: activityLimits.pages });
  // There is no room for another page, and those that are known go on being counted.
  log.record(call(id, { pages: [nodeId(99_999), nodeId(1)] }));
  await log.flush();
  const [page] = await fixture.database.activity.read((db) =>
    db.selectFrom("activity_pages").select("reads").orderBy("reads", "desc").limit(1).execute(),
  );
  assert.equal(page?.reads, 2);
  assert.equal(
    (await fixture.database.activity.read((db) => sumsSince(db, id, 0))).pages,
    activityLimits.pages,
  );
});

test("APP-9: a token whose id was given out again has no other token's calls", async (t) => {
  const fixture = await createAuthFixture(t);
  const owner = await fixture.signUp("a");
  const { id, createdAt } = await fixture.serviceToken(owner.id);
  const log = logOn(fixture, fixture.database);
  log.record(call(id, { words: "before" }));
  await log.flush();
  // As a database does that was restored to a time before the token was made.
  await fixture.database.transaction((trx) =>
    trx
      .updateTable("service_tokens")
      .set({ created_at: createdAt + 1 })
      .where("id", "=", id)
      .execute(),
  );
  log.record(call(id, { words: "after" }));
  await log.flush();
  const { activity } = fixture.database;
  const calls = await activity.read((db) => latestCalls(db, id, ofAll));
  assert.deepEqual(
    calls.map(({ words }) => words),
    ["after"],
  );
  const tokens = await activity.read((db) => activeTokens(db, { after: 0, limit: 9 }));
  assert.deepEqual(tokens, [{ id, userId: owner.id, createdAt: createdAt + 1 }]);
});
