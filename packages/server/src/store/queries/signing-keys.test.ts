import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase } from "../testing/scratch.ts";
import {
  adoptSigningKeys,
  insertSigningKey,
  purgeSigningKeys,
  replaceSealedSecret,
  retireSigningKeys,
  signingKeys,
} from "./signing-keys.ts";

const key = (kid: string, createdAt: number) => ({ kid, sealedSecret: Buffer.of(createdAt), createdAt });

test("SESS-7: the newest key comes first, the old ones stay until they are purged", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction(async (trx) => {
    await insertSigningKey(trx, key("a", 1));
    await insertSigningKey(trx, key("b", 2));
    await retireSigningKeys(trx, { exceptKid: "b", now: 2 });
    await insertSigningKey(trx, key("c", 3));
    await retireSigningKeys(trx, { exceptKid: "c", now: 3 });
  });
  assert.deepEqual(await signingKeys(database.read), [
    { ...key("c", 3), retiredAt: null },
    { ...key("b", 2), retiredAt: 3 },
    { ...key("a", 1), retiredAt: 2 },
  ]);
  assert.equal(await database.transaction((trx) => purgeSigningKeys(trx, 3)), 1);
  assert.deepEqual(
    (await signingKeys(database.read)).map(({ kid }) => kid),
    ["c", "b"],
  );
});

test("SESS-7: the key that signs is never purged", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction((trx) => insertSigningKey(trx, key("a", 1)));
  assert.equal(await database.transaction((trx) => purgeSigningKeys(trx, Number.MAX_SAFE_INTEGER)), 0);
});

test("OPS-13: keys of another bucket verify and sign nothing, and the key that signs here stays", async (t) => {
  const { database } = await scratchDatabase(t);
  const adopt = (retiredAt: number | null, now: number) =>
    database.transaction((trx) => adoptSigningKeys(trx, [{ ...key("b", 2), retiredAt }], now));
  const retirements = async () =>
    new Map((await signingKeys(database.read)).map(({ kid, retiredAt }) => [kid, retiredAt]));
  await database.transaction((trx) => insertSigningKey(trx, key("a", 1)));
  await adopt(null, 5);
  assert.deepEqual(
    await retirements(),
    new Map([
      ["a", null],
      ["b", 5],
    ]),
  );
  await adopt(4, 9);
  assert.equal((await retirements()).get("b"), 5, "it may have signed until then");
  await adopt(null, 9);
  assert.equal((await retirements()).get("b"), 9);
  await database.transaction((trx) => adoptSigningKeys(trx, [{ ...key("a", 1), retiredAt: 3 }], 9));
  assert.equal((await retirements()).get("a"), null);
});

test("SIGN-8: a secret that is sealed with another key replaces that of its own key alone", async (t) => {
  const { database } = await scratchDatabase(t);
  const sealedAnew = Buffer.of(9);
  await database.transaction(async (trx) => {
    for (const each of [key("a", 1), key("b", 2)]) await insertSigningKey(trx, each);
    await replaceSealedSecret(trx, "a", sealedAnew);
  });
  assert.deepEqual(await signingKeys(database.read), [
    { ...key("b", 2), retiredAt: null },
    { ...key("a", 1), sealedSecret: sealedAnew, retiredAt: null },
  ]);
});
