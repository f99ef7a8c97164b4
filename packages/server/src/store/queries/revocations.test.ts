import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase } from "../testing/scratch.ts";
import {
  deleteRevocation,
  dueRevocation,
  insertRevocation,
  postponeRevocation,
  replaceRevocationSeal,
  revocationsAfter,
} from "./revocations.ts";

test("GRAPH-15: of a source's grants, the one is revoked next that has been due longest", async (t) => {
  const { database } = await scratchDatabase(t);
  const insert = (provider: string, token: number, dueAt: number) =>
    database.transaction((trx) => insertRevocation(trx, { provider, sealedToken: Buffer.of(token), dueAt }));
  await insert("some", 1, 20);
  await insert("some", 2, 10);
  await insert("some", 3, 10);
  await insert("another", 4, 1);
  const due = (now: number) => dueRevocation(database.read, "some", now);
  assert.equal(await due(9), null);
  const first = await due(10);
  assert.deepEqual(first, { id: first?.id, provider: "some", sealedToken: Buffer.of(2), attempts: 0 });
  await database.transaction((trx) => postponeRevocation(trx, first?.id ?? 0, 30));
  assert.deepEqual((await due(20))?.sealedToken, Buffer.of(3));
  await database.record(async (trx) => deleteRevocation(trx, (await due(20))?.id ?? 0));
  assert.deepEqual((await due(30))?.sealedToken, Buffer.of(1));
  await database.record(async (trx) => deleteRevocation(trx, (await due(30))?.id ?? 0));
  assert.deepEqual(await due(30), { ...first, attempts: 1 });
});

test("SIGN-8: the tokens of grants to be revoked are read in parts, and each is sealed with another key alone", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction(async (trx) => {
    for (const token of [1, 2, 3, 4, 5])
      await insertRevocation(trx, { provider: "some", sealedToken: Buffer.of(token), dueAt: 10 - token });
  });
  const part = (after: number) => revocationsAfter(database.read, after, 2);
  const tokens: (readonly number[])[] = [];
  for (let last = 0; ; ) {
    const found = await part(last);
    const end = found.at(-1);
    if (end === undefined) break;
    tokens.push(found.flatMap(({ sealedToken }) => [...sealedToken]));
    last = end.id;
  }
  assert.deepEqual(tokens, [[1, 2], [3, 4], [5]]);
  const [first] = await part(0);
  await database.transaction((trx) => replaceRevocationSeal(trx, first?.id ?? 0, Buffer.of(9)));
  const all = await revocationsAfter(database.read, 0, 9);
  assert.deepEqual(
    all.flatMap(({ sealedToken }) => [...sealedToken]),
    [9, 2, 3, 4, 5],
  );
});
