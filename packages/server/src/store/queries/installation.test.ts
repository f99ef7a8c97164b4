import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase } from "../testing/scratch.ts";
import {
  readBucketMark,
  readClientKey,
  readFingerprint,
  readInstallation,
  readKeyFingerprint,
  readLastBackup,
  recordBackup,
  recordKeyFingerprint,
  writeBucketMark,
  writeClientKey,
  writeInstallation,
} from "./installation.ts";

test("an installation has one set of facts", async (t) => {
  const { database } = await scratchDatabase(t);
  assert.equal(await readInstallation(database.read), null);
  for (const sealedKeyCheck of [Buffer.of(1, 2), Buffer.of(3)]) {
    await database.transaction((trx) => writeInstallation(trx, { sealedKeyCheck, nextKeyCheck: null }));
    assert.deepEqual(await readInstallation(database.read), { sealedKeyCheck, nextKeyCheck: null });
  }
});

test("SIGN-8: an installation knows nothing before the first start, and takes no key and no bucket", async (t) => {
  const { database } = await scratchDatabase(t);
  const { read } = database;
  const facts = [readFingerprint, readKeyFingerprint, readLastBackup, readClientKey, readBucketMark];
  assert.deepEqual(await Promise.all(facts.map((fact) => fact(read))), [null, null, null, null, null]);
  const mark = { bucket: 2, homeFingerprint: Uint8Array.of(1) };
  await assert.rejects(
    database.transaction((trx) => writeBucketMark(trx, mark)),
    /no row/,
  );
  await assert.rejects(
    database.transaction((trx) => writeClientKey(trx, Uint8Array.of(1))),
    /no row/,
  );
});

test("OPS-13: an installation keeps its keys, its last backup and its bucket when its key check is replaced", async (t) => {
  const { database } = await scratchDatabase(t);
  const { read } = database;
  const write = (check: number, key: { readonly keyFingerprint?: string } = {}) =>
    database.transaction((trx) =>
      writeInstallation(trx, { sealedKeyCheck: Buffer.of(check), nextKeyCheck: null, ...key }),
    );
  const mark = { bucket: 2, homeFingerprint: Buffer.of(7) };
  await write(1, { keyFingerprint: "first" });
  await database.transaction(async (trx) => {
    await recordBackup(trx, 30);
    await writeClientKey(trx, Buffer.of(9));
    await writeBucketMark(trx, mark);
  });
  const fingerprint = await readFingerprint(read);
  await write(2);
  assert.deepEqual(await readFingerprint(read), fingerprint);
  assert.equal(await readKeyFingerprint(read), "first");
  assert.equal(await readLastBackup(read), 30);
  assert.deepEqual(await readClientKey(read), Buffer.of(9));
  assert.deepEqual(await readBucketMark(read), mark);
  await database.transaction((trx) => recordKeyFingerprint(trx, "second"));
  assert.equal(await readKeyFingerprint(read), "second");
});
