import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someHash, someUser } from "../testing/scratch.ts";
import {
  beginAttempt,
  consumeAttempt,
  deleteSignInCode,
  insertSignInCode,
  liveSignInCodes,
  purgeAttempts,
} from "./sign-ins.ts";

const purpose = { provider: "some", adding: null };

test("SIGN-2: of two simultaneous uses of a state exactly one succeeds, and no later one", async (t) => {
  const { database } = await scratchDatabase(t);
  const attempt = { stateHash: someHash(), browserHash: someHash() };
  await database.transaction((trx) => beginAttempt(trx, { ...attempt, ...purpose, expiresAt: 1000 }, 10));
  const use = () => database.transaction((trx) => consumeAttempt(trx, attempt, 1));
  const used = await Promise.all([use(), use()]);
  assert.deepEqual(
    used.filter((each) => each !== null),
    [purpose],
  );
  assert.equal(await use(), null);
});

test("SIGN-5: a sign-in that adds a source to an account comes back with its session", async (t) => {
  const { database } = await scratchDatabase(t);
  const attempt = { stateHash: someHash(), browserHash: someHash() };
  const adding = { userId: await someUser(database), sessionId: "a session" };
  await database.transaction((trx) =>
    beginAttempt(trx, { ...attempt, provider: "some", adding, expiresAt: 1000 }, 10),
  );
  const used = await database.transaction((trx) => consumeAttempt(trx, attempt, 1));
  assert.deepEqual(used, { provider: "some", adding });
});

test("SIGN-2: a mismatch leaves the state usable", async (t) => {
  const { database } = await scratchDatabase(t);
  const attempt = { stateHash: someHash(), browserHash: someHash() };
  await database.transaction((trx) => beginAttempt(trx, { ...attempt, ...purpose, expiresAt: 1000 }, 10));
  const use = (as: typeof attempt) => database.transaction((trx) => consumeAttempt(trx, as, 1));
  assert.equal(await use({ ...attempt, browserHash: someHash() }), null);
  assert.equal(await use({ ...attempt, stateHash: someHash() }), null);
  assert.deepEqual(await use(attempt), purpose);
});

test("SIGN-2: an expired state signs no one in", async (t) => {
  const { database } = await scratchDatabase(t);
  const attempt = { stateHash: someHash(), browserHash: someHash() };
  await database.transaction((trx) => beginAttempt(trx, { ...attempt, ...purpose, expiresAt: 1000 }, 10));
  const use = (now: number) => database.transaction((trx) => consumeAttempt(trx, attempt, now));
  assert.equal(await use(1000), null);
  assert.deepEqual(await use(999), purpose);
});

test("SIGN-2: of the sign-ins that were begun by all people the latest are kept", async (t) => {
  const { database } = await scratchDatabase(t);
  const attempts = [1000, 1001, 1002, 1003].map((expiresAt) => ({
    ...{ stateHash: someHash(), browserHash: someHash() },
    ...purpose,
    expiresAt,
  }));
  for (const attempt of attempts) await database.transaction((trx) => beginAttempt(trx, attempt, 3));
  const used = await Promise.all(
    attempts.map((attempt) => database.transaction((trx) => consumeAttempt(trx, attempt, 1))),
  );
  assert.deepEqual(
    used.map((each) => each !== null),
    [false, true, true, true],
  );
});

test("SIGN-2: expired attempts are purged, the others stay", async (t) => {
  const { database } = await scratchDatabase(t);
  const fresh = { stateHash: someHash(), browserHash: someHash() };
  await database.transaction(async (trx) => {
    await beginAttempt(
      trx,
      { stateHash: someHash(), browserHash: someHash(), ...purpose, expiresAt: 1000 },
      10,
    );
    await beginAttempt(trx, { ...fresh, ...purpose, expiresAt: 1001 }, 10);
  });
  assert.equal(await database.transaction((trx) => purgeAttempts(trx, 1000)), 1);
  assert.deepEqual(await database.transaction((trx) => consumeAttempt(trx, fresh, 1000)), purpose);
});

test("SIGN-12: a one-time code is used once, and no longer than it lasts", async (t) => {
  const { database } = await scratchDatabase(t);
  const [early, late] = [someHash(), someHash()];
  const insert = (hash: Uint8Array, expiresAt: number, now: number) =>
    database.transaction((trx) => insertSignInCode(trx, { hash, expiresAt }, now));
  const live = async (now: number) =>
    (await liveSignInCodes(database.read, now)).map((hash) => Buffer.from(hash).toString("hex")).sort();
  const named = (...hashes: Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString("hex")).sort();
  await insert(early, 10, 1);
  await insert(late, 20, 1);
  assert.deepEqual([await live(9), await live(10), await live(20)], [named(early, late), named(late), []]);
  await insert(someHash(), 30, 10);
  const rows = await database.read.selectFrom("sign_in_codes").select("expires_at").execute();
  assert.deepEqual(rows.map(({ expires_at }) => expires_at).sort(), [20, 30], "expired ones are deleted");
  const use = () => database.transaction((trx) => deleteSignInCode(trx, late));
  assert.deepEqual([await use(), await use()], [true, false]);
});
