import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { copyFile, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openForRevocation, openTokens, sealForRevocation, sealTokens } from "../connections/grant.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { connectionIds, upsertConnection } from "../store/queries/connections.ts";
import { dueRevocation, insertRevocation } from "../store/queries/revocations.ts";
import { endSession } from "../store/queries/sessions.ts";
import { type TestInstallation, testInstallation } from "./testing/installation.ts";

const newKey = () => randomBytes(32).toString("base64");

/** An installation with three grants and one that waits to be revoked. */
async function withGrants(t: TestContext, settings: Record<string, string> = {}): Promise<TestInstallation> {
  const installation = await testInstallation(t);
  installation.settings = settings;
  await installation.with(async ({ database, secrets, add }) => {
    for (const userId of ["one", "two", "three"]) {
      await add(userId);
      const owner = { userId, workspaceId: "workspace" };
      const refreshToken = userId === "one" ? null : `refresh-${userId}`;
      const sealed = sealTokens(secrets, owner, { accessToken: `access-${userId}`, refreshToken });
      const grant = { ...owner, ...sealed, name: null, icon: null, provider: "some", grantId: "grant" };
      await database.transaction((trx) => upsertConnection(trx, grant, 1));
    }
    const sealedToken = sealForRevocation(secrets, "some", "to-be-revoked");
    await database.transaction((trx) => insertRevocation(trx, { provider: "some", sealedToken, dueAt: 0 }));
  });
  return installation;
}

async function opened(database: Database, secrets: Secrets): Promise<unknown[]> {
  const revocation = await dueRevocation(database.read, "some", 1);
  assert.ok(revocation);
  const ids = await connectionIds(database.read);
  const tokens = await Promise.all(ids.map((id) => openTokens(database.read, secrets, id)));
  return [
    ...tokens.map((token) => token?.accessToken),
    openForRevocation(secrets, "some", revocation.sealedToken),
  ];
}

const all = ["access-one", "access-two", "access-three", "to-be-revoked"];
const secretsOf = (installation: TestInstallation) =>
  installation.with(async ({ database, secrets }) => opened(database, secrets));

test("SIGN-8: keys rotate --encryption re-encrypts all secrets with a new key file and keeps the old one", async (t) => {
  const installation = await withGrants(t);
  const before = await readFile(installation.keyFile, "utf8");
  const kid = await installation.with(async ({ keys }) => (await keys.current()).kid);
  const said = await installation.run("keys", "rotate", "--encryption");
  assert.match(said, /encrypted with the new key: 5\./);
  const [, kept = ""] = /keep (\S+) for/.exec(said) ?? [];
  assert.equal(await readFile(kept, "utf8"), before);
  assert.notEqual(await readFile(installation.keyFile, "utf8"), before);
  assert.equal((await stat(installation.keyFile)).mode & 0o777, 0o600);
  assert.deepEqual(await secretsOf(installation), all);
  assert.equal(await installation.with(async ({ keys }) => (await keys.current()).kid), kid);
  assert.match(await installation.run("verify"), /is sound: schema \d+, 5 secrets/);
  // The old key decrypts nothing any more.
  await copyFile(kept, installation.keyFile);
  await assert.rejects(installation.run("verify"), { code: "wrong_key" });
});

test("SIGN-8: a key change interrupted at any step can be resumed, and Clew does not start meanwhile", async (t) => {
  for (let survives = 0; ; survives += 1) {
    const installation = await withGrants(t);
    let left = survives;
    installation.random = (size) => {
      if (left === 0) throw new Error("killed");
      left -= 1;
      return randomBytes(size);
    };
    const completed = await installation.run("keys", "rotate", "--encryption").then(
      () => true,
      (error) => {
        assert.equal(error.message, "killed");
        return false;
      },
    );
    installation.random = randomBytes;
    if (completed) {
      assert.ok(survives > 8, `it was interrupted ${survives} times`);
      return;
    }
    if ((await readdir(installation.folder)).includes("encryption.key.next")) {
      await assert.rejects(secretsOf(installation), { code: "unfinished_change" });
      await assert.rejects(installation.run("keys", "rotate"), { code: "unfinished_change" });
    }
    await installation.run("keys", "rotate", "--encryption");
    assert.deepEqual(await secretsOf(installation), all, `interrupted at ${survives}`);
    assert.match(await installation.run("verify"), /is sound/);
    assert.ok(!(await readdir(installation.folder)).includes("encryption.key.next"));
  }
});

test("SIGN-8: a change interrupted before the new key file was renamed is finished by the next run", async (t) => {
  const installation = await withGrants(t);
  const { folder, keyFile } = installation;
  const old = join(folder, "old");
  await copyFile(keyFile, old);
  await installation.run("keys", "rotate", "--encryption");
  // As if killed between the last commit and the renaming.
  await copyFile(keyFile, `${keyFile}.next`);
  await copyFile(old, keyFile);
  await assert.rejects(secretsOf(installation), { code: "unfinished_change" });
  installation.now += 1;
  assert.match(await installation.run("keys", "rotate", "--encryption"), /new key: 0\./);
  assert.deepEqual(await secretsOf(installation), all);
});

test("SIGN-8: NEW_ENCRYPTION_KEY replaces a key in the environment", async (t) => {
  const before = newKey();
  const installation = await withGrants(t, { ENCRYPTION_KEY: before });
  await assert.rejects(installation.run("keys", "rotate", "--encryption"), /NEW_ENCRYPTION_KEY/);
  const after = newKey();
  installation.settings = { ENCRYPTION_KEY: before, NEW_ENCRYPTION_KEY: before };
  await assert.rejects(installation.run("keys", "rotate", "--encryption"), /is the old one/);
  installation.settings = { ENCRYPTION_KEY: newKey(), NEW_ENCRYPTION_KEY: after };
  await assert.rejects(installation.run("keys", "rotate", "--encryption"), /old encryption key is missing/);
  installation.settings = { ENCRYPTION_KEY: before, NEW_ENCRYPTION_KEY: after };
  assert.match(await installation.run("keys", "rotate", "--encryption"), /as ENCRYPTION_KEY from now on/);
  assert.match(
    await installation.run("keys", "rotate", "--encryption"),
    /new key: 0\./,
    "running it again does nothing",
  );
  installation.settings = { ENCRYPTION_KEY: after };
  assert.deepEqual(await secretsOf(installation), all);
  assert.deepEqual(
    (await readdir(installation.folder)).filter((name) => name.includes("key")),
    [],
  );
});

test("SIGN-8: the key cannot be changed while Clew is running", async (t) => {
  const installation = await withGrants(t);
  await installation.with(async ({ database, secrets }) => {
    await assert.rejects(installation.run("keys", "rotate", "--encryption"), /stop Clew first/);
    assert.deepEqual(await opened(database, secrets), all);
  });
  assert.ok(!(await readdir(installation.folder)).includes("encryption.key.next"), "no change was begun");
});

test("OPS-7: a backup from before a key change restores with the old key, and ended sessions stay ended", async (t) => {
  const before = newKey();
  const after = newKey();
  const installation = await withGrants(t, { ENCRYPTION_KEY: before });
  const backup = join(installation.folder, "backup");
  await installation.run("backup", backup);
  await installation.with(({ database }) => database.transaction((trx) => endSession(trx, "one", 5)));
  installation.settings = { ENCRYPTION_KEY: before, NEW_ENCRYPTION_KEY: after };
  await installation.run("keys", "rotate", "--encryption");
  installation.settings = { ENCRYPTION_KEY: after };
  await assert.rejects(installation.run("restore", backup), { code: "wrong_key" });
  installation.settings = { ENCRYPTION_KEY: before };
  assert.match(await installation.run("restore", backup), /1 sessions stay ended/);
  assert.deepEqual(await secretsOf(installation), all);
  await rm(backup);
});
