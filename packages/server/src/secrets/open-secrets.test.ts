import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openDatabase } from "../store/database.ts";
import type { Database } from "../store/port.ts";
import { readInstallation, readKeyFingerprint } from "../store/queries/installation.ts";
import {
  keyFileOf,
  keyFingerprint,
  openSecrets,
  readSecrets,
  sealKeyCheck,
  verifyKey,
} from "./open-secrets.ts";
import { createSecrets, type SecretsError } from "./secrets.ts";

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

test("SIGN-8: a later start leaves the key check as it is, since others know the installation by it", async (t) => {
  const database = await scratchDatabase(t);
  const secrets = createSecrets(randomBytes(32), randomBytes);
  await verifyKey(database, secrets);
  const first = await readInstallation(database.read);
  await verifyKey(database, secrets);
  assert.deepEqual(await readInstallation(database.read), first);
});

test("SIGN-8, OPS-7: what a key makes is the same in every version: databases and backups hold it", () => {
  const secrets = createSecrets(new Uint8Array(32).fill(7), (size) => new Uint8Array(size).fill(9));
  assert.equal(keyFingerprint(secrets), "490619967cd8396c");
  assert.equal(
    Buffer.from(sealKeyCheck(secrets)).toString("hex"),
    "01090909090909090909090909fc65448cf32ee030ac5e0124a618fa29868aa466",
  );
});

test("SIGN-8: with its key file gone, an installation gets no new key: the old one is asked for", async (t) => {
  const database = await scratchDatabase(t);
  const dataDir = await mkdtemp(join(tmpdir(), "clew-verify-"));
  t.after(() => rm(dataDir, { recursive: true }));
  const settings = { encryptionKey: null, dataDir };
  const secrets = await openSecrets(settings, database, randomBytes);
  await rm(keyFileOf(dataDir));
  const isRefused = (error: SecretsError) =>
    error.code === "missing_key" && error.message.includes(keyFingerprint(secrets));
  await assert.rejects(openSecrets(settings, database, randomBytes), isRefused);
  await assert.rejects(readSecrets(settings, database.read, randomBytes), isRefused);
  assert.deepEqual(await readdir(dataDir), []);
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
