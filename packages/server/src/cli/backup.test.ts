import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { encryptFile } from "./encrypted-backup.ts";
import { type TestInstallation, testInstallation } from "./testing/installation.ts";

/** An installation with users, and a new pair of keys. */
async function withKeys(t: TestContext) {
  const installation = await testInstallation(t);
  await installation.with(async ({ add }) => {
    for (let number = 0; number < 40; number += 1) await add(`PERSON-${number}`);
  });
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  return { installation, identity, recipient, backup: join(installation.folder, "backup.age") };
}

const names = async ({ folder }: TestInstallation) => (await readdir(folder)).sort();

test("OPS-7: an encrypted backup reveals nothing, and only the identity can verify and restore it", async (t) => {
  const { installation, identity, recipient, backup } = await withKeys(t);
  await assert.rejects(installation.run("backup", "--encrypt", backup), /BACKUP_RECIPIENTS/);
  installation.settings = { BACKUP_RECIPIENTS: recipient };
  const before = await names(installation);
  assert.match(await installation.run("backup", "--encrypt", backup), /encrypted\./);
  const left = (await names(installation)).filter((name) => !/-(wal|shm)$/.test(name));
  assert.deepEqual(left, ["backup.age", ...before], "no plain text is left");
  assert.equal((await stat(backup)).mode & 0o777, 0o600);
  assert.ok(!(await readFile(backup, "latin1")).includes("PERSON"));

  await installation.with(({ add }) => add("later"));
  await assert.rejects(installation.run("verify", backup), /is encrypted: set BACKUP_IDENTITY/);
  await assert.rejects(installation.run("restore", backup), /is encrypted: set BACKUP_IDENTITY/);
  installation.settings = { BACKUP_IDENTITY: await generateX25519Identity() };
  await assert.rejects(installation.run("restore", backup), /cannot be decrypted/);
  installation.settings = { BACKUP_IDENTITY: `# created: today\n${identity}` };
  assert.match(await installation.run("verify", backup), /backup\.age is sound/);
  await installation.run("restore", backup);
  const users = await installation.with((opened) => opened.users());
  assert.equal(users.length, 40);
  assert.ok(!users.includes("later"));
  assert.deepEqual(
    (await names(installation)).filter((name) => /decrypted|verifying|restoring|backing-up/.test(name)),
    [],
  );
});

test("OPS-7: an altered or truncated encrypted backup is refused, and nothing changes", async (t) => {
  const { installation, identity, recipient, backup } = await withKeys(t);
  installation.settings = { BACKUP_RECIPIENTS: recipient, BACKUP_IDENTITY: identity };
  await installation.run("backup", "--encrypt", backup);
  const whole = await readFile(backup);
  const chunk = 64 * 1024;
  assert.ok(whole.length > 2 * chunk, "it has several chunks");
  await installation.with(({ add }) => add("later"));
  const before = await readFile(installation.path);
  for (const at of [30, 60, 150, 1000, chunk + 500, whole.length - 1]) {
    const altered = Buffer.from(whole);
    altered[at] = (altered[at] ?? 0) ^ 1;
    await writeFile(backup, altered);
    await assert.rejects(installation.run("restore", backup), /cannot be decrypted/, `byte ${at}`);
  }
  const header = whole.indexOf("\n--- ");
  const payload = whole.indexOf("\n", header + 1) + 1 + 16;
  for (const length of [header, payload, payload + chunk + 16, whole.length - 1]) {
    await writeFile(backup, whole.subarray(0, length));
    await assert.rejects(installation.run("restore", backup), /cannot be decrypted/, `${length} bytes`);
  }
  assert.deepEqual(await readFile(installation.path), before);
});

test("OPS-7: a backup can be encrypted with a passphrase instead of an age key", async (t) => {
  const { installation, backup } = await withKeys(t);
  installation.settings = { BACKUP_PASSPHRASE: "correct horse battery staple" };
  const encrypter = new Encrypter();
  // The work factor of the command takes a second.
  encrypter.setScryptWorkFactor(10);
  encrypter.setPassphrase("correct horse battery staple");
  const plain = join(installation.folder, "plain");
  await installation.run("backup", plain);
  await encryptFile(plain, backup, encrypter);
  assert.match(await installation.run("verify", backup), /is sound/);
  installation.settings = { BACKUP_PASSPHRASE: "incorrect" };
  await assert.rejects(installation.run("verify", backup), /cannot be decrypted/);
});
