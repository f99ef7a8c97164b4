import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openDatabase } from "../database.ts";
import type { CallerKey, CallerRecord } from "../port.ts";
import { idOfCaller } from "../queries/callers.ts";
import { setTokenRevoked } from "../queries/service-tokens.ts";
import { endSession, openSession } from "../queries/sessions.ts";
import { needsCounter } from "../testing/location.ts";
import { scratchDatabase, someConnection, someHash, someToken, someUser } from "../testing/scratch.ts";
import { batchCallers } from "./caller-batches.ts";

const sessionKey = (sessionId: string): CallerKey => ({ kind: "session", sessionId });

const recordsOf = (keys: readonly CallerKey[]): Map<string, CallerRecord> => {
  const owner = { id: "u", provider: "some", email: null, isMoving: false, connections: [] };
  return new Map(keys.map((key) => [idOfCaller(key), { kind: "session", owner, refreshExpiresAt: 1 }]));
};

/** Counts the looks at the version, and keeps the keys of each read. */
function countedSource({ version = (): number => 1, wait = async (): Promise<void> => {} } = {}) {
  const counted = { versions: 0, reads: [] as string[][] };
  const callers = batchCallers({
    async find(keys) {
      counted.reads.push(keys.map(idOfCaller));
      await wait();
      return recordsOf(keys);
    },
    commitVersion() {
      counted.versions += 1;
      return version();
    },
    maxRecords: 2,
  });
  return { callers, counted };
}

test("TOK-8: a record is read again after a commit of another instance", async (t) => {
  const { database, location } = await scratchDatabase(t);
  const elsewhere = await openDatabase({ location });
  t.after(() => elsewhere.close());
  const userId = await someUser(database);
  const connectionId = await someConnection(database, userId);
  const hash = Buffer.from(someHash());
  const { id } = await someToken(database, userId, { hash });
  const ask = async () => {
    const [record] = await database.callers([{ kind: "service-token", hash }]);
    assert.ok(record?.kind === "service-token");
    return record;
  };
  const first = await ask();
  assert.deepEqual([first.token.id, first.token.revokedAt, first.owner.id], [id, null, userId]);
  assert.deepEqual(
    first.owner.connections.map((connection) => connection.id),
    [connectionId],
  );
  await elsewhere.transaction((trx) => setTokenRevoked(trx, id, 7));
  const second = await ask();
  assert.equal(second.token.revokedAt, 7);
});

test("TOK-8: a record is kept until the next commit", { skip: needsCounter }, async (t) => {
  const { database } = await scratchDatabase(t);
  const session = { userAgent: null, createdAt: 1, refreshExpiresAt: 100 };
  const userId = await someUser(database);
  await database.transaction((trx) => openSession(trx, { ...session, id: "a", userId }));
  const ask = async () => (await database.callers([sessionKey("a")]))[0];
  const first = await ask();
  assert.equal(await ask(), first);
  await someUser(database);
  const second = await ask();
  assert.notEqual(second, first);
  assert.deepEqual(second, first);
});

test("SESS-4: callers are answered in the order of their keys, unknown and ended ones with null", async (t) => {
  const { database } = await scratchDatabase(t);
  const [ann, ben] = [await someUser(database), await someUser(database)];
  const connectionId = await someConnection(database, ben);
  const session = { userAgent: null, createdAt: 1, refreshExpiresAt: 100 };
  await database.transaction(async (trx) => {
    await openSession(trx, { ...session, id: "a", userId: ann });
    await openSession(trx, { ...session, id: "b", userId: ben });
    await openSession(trx, { ...session, id: "ended", userId: ben });
    await endSession(trx, "ended", 7);
  });
  const keys = ["b", "none", "a", "ended", "b"].map(sessionKey);
  const records = await database.callers([...keys, { kind: "service-token", hash: Buffer.from(someHash()) }]);
  assert.deepEqual(
    records.map((record) => record && [record.owner.id, record.owner.connections.map(({ id }) => id)]),
    [[ben, [connectionId]], null, [ann, []], null, [ben, [connectionId]], null],
  );
});

test("TOK-8: requests that arrive together share one batch, which looks for commits after all of them", async () => {
  const { callers, counted } = countedSource();
  const first = callers([sessionKey("a")]);
  await Promise.resolve();
  const second = callers([sessionKey("b"), sessionKey("a")]);
  assert.equal(counted.versions, 0);
  await Promise.all([first, second]);
  assert.deepEqual(counted, { versions: 1, reads: [["session a", "session b"]] });
  await callers([sessionKey("b")]);
  assert.deepEqual([counted.versions, counted.reads.length], [2, 1]);
});

test("a batch that fails rejects the calls that share it, and not the next", async () => {
  let away = true;
  const { callers } = countedSource({
    version() {
      if (away) throw new Error("away");
      return 1;
    },
  });
  await assert.rejects(Promise.all([callers([sessionKey("a")]), callers([sessionKey("b")])]), /away/);
  away = false;
  assert.equal((await callers([sessionKey("a")])).length, 1);
});

test("TOK-8: nothing is kept while the version cannot be read, nor what a later batch found outdated", async () => {
  const unreadable = countedSource({ version: () => Number.NaN });
  await unreadable.callers([sessionKey("a")]);
  await unreadable.callers([sessionKey("a")]);
  assert.equal(unreadable.counted.reads.length, 2);

  let version = 1;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { callers, counted } = countedSource({
    version: () => version,
    wait: () => (counted.reads.length === 1 ? released : Promise.resolve()),
  });
  const slow = callers([sessionKey("a")]);
  while (counted.reads.length === 0) await setImmediate();
  version = 2;
  await callers([sessionKey("b")]);
  release();
  await slow;
  await callers([sessionKey("a")]);
  assert.equal(counted.reads.length, 3, "the record of the slow batch was not kept");
});

test("the records used last are kept, and no more than fit", async () => {
  const { callers, counted } = countedSource();
  for (const id of ["a", "b", "a", "c", "a", "b"]) await callers([sessionKey(id)]);
  assert.deepEqual(counted.reads.flat(), ["session a", "session b", "session c", "session b"]);
});
