import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openDatabase } from "../store/database.ts";
import type { Database } from "../store/port.ts";
import { readKeyFingerprint } from "../store/queries/installation.ts";
import { keyFingerprint, verifyKey } from "./open-secrets.ts";
import { createSecrets } from "./secrets.ts";

async function scratchDatabase(t: TestContext): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), "clew-verify-"));
  const database = await openDatabase({ location: { kind: "sqlite", path: join(folder, "clew.sqlite") } });
  t.after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  return database;
}

test("SIGN-8: the first start fixes the key, and a wrong key is refused with a clear message", async (t) => {
  const database = await scratchDatabase(t);
  const secrets = createSecrets(randomBytes(32), randomBytes);
  const others = createSecrets(randomBytes(32), randomBytes);
  await verifyKey(database, secrets);
  await verifyKey(database, secrets);
  await assert.rejects(verifyKey(database, others), { code: "wrong_key", message: /ENCRYPTION_KEY/ });
  await verifyKey(database, secrets);
});

test("OPS-7: a start records the fingerprint of the key, also after an earlier Clew changed the key", async (t) => {
  const database = await scratchDatabase(t);
  const secrets = createSecrets(randomBytes(32), randomBytes);
  await verifyKey(database, secrets);
  const fingerprint = await readKeyFingerprint(database.read);
  assert.equal(fingerprint, keyFingerprint(secrets));
  assert.match(fingerprint ?? "", /^[0-9a-f]{16}$/);
  assert.notEqual(fingerprint, keyFingerprint(createSecrets(randomBytes(32), randomBytes)));
  for (const before of [null, "0123456789abcdef"]) {
    await database.record((trx) =>
      trx.updateTable("installation").set({ key_fingerprint: before }).execute(),
    );
    await verifyKey(database, secrets);
    assert.equal(await readKeyFingerprint(database.read), fingerprint);
  }
});

test("OPS-7: a refused key is named, and the one that the database needs if that is known", async (t) => {
  const database = await scratchDatabase(t);
  const [secrets, others] = [
    createSecrets(randomBytes(32), randomBytes),
    createSecrets(randomBytes(32), randomBytes),
  ];
  await verifyKey(database, secrets);
  const given = `The given key has the fingerprint ${keyFingerprint(others)}`;
  const needed = `. The key that this database needs has the fingerprint ${keyFingerprint(secrets)}`;
  const endsWith = (end: string) => (error: Error) => error.message.endsWith(end);
  await assert.rejects(verifyKey(database, others), endsWith(`${given}${needed}`));
  await database.record((trx) => trx.updateTable("installation").set({ key_fingerprint: null }).execute());
  await assert.rejects(verifyKey(database, others), endsWith(given));
});

test("SIGN-8: of two simultaneous first starts with different keys, one is refused", async (t) => {
  const database = await scratchDatabase(t);
  const starts = [1, 2].map((byte) =>
    verifyKey(database, createSecrets(new Uint8Array(32).fill(byte), randomBytes)),
  );
  const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status);
  assert.deepEqual(outcomes.sort(), ["fulfilled", "rejected"]);
});
