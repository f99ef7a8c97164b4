import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { copyFile, readdir, readFile, rm, stat } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { Registrations } from "../auth/apps/registrations.ts";
import { sealForRevocation, sealTokens } from "../connections/grant.ts";
import { idleJob } from "../connections/request-sync.ts";
import type { Database } from "../store/port.ts";
import { listAudit } from "../store/queries/audit.ts";
import { upsertConnection } from "../store/queries/connections.ts";
import { putJob } from "../store/queries/jobs.ts";
import { insertRevocation } from "../store/queries/revocations.ts";
import { findServiceToken, insertServiceToken } from "../store/queries/service-tokens.ts";
import { testInstallation } from "./testing/installation.ts";

/** The columns with bytes that the encryption key sealed: `keys reset --lost` gives them up. */
const sealed = [
  "connections.access_token",
  "connections.refresh_token",
  "installation.next_key_check",
  "installation.sealed_client_key",
  "installation.sealed_key_check",
  "revocations.sealed_token",
  "signing_keys.sealed_secret",
];

/** Columns with other bytes: ids, hashes and maps. */
const unsealed = /\.(id|\w+_id|(?:home_)?fingerprint|hash|\w+_hash)$|^maps\./;

/** An installation with a secret in each sealed column, and a service token. */
async function withSecrets(t: TestContext, settings: Record<string, string> = {}) {
  const installation = await testInstallation(t);
  installation.settings = settings;
  const tokenId = await installation.with(async ({ database, secrets, add }) => {
    await add("one");
    const owner = { userId: "one", workspaceId: "workspace" };
    const tokens = sealTokens(secrets, owner, { accessToken: "access", refreshToken: "refresh" });
    const sealedToken = sealForRevocation(secrets, "some", "to-be-revoked");
    const registrations = new Registrations({ database, secrets, random: randomBytes });
    await registrations.register({ redirect_uris: ["https://program.example/"] }, 1);
    return database.transaction(async (trx) => {
      const grant = { ...owner, ...tokens, name: null, icon: null, provider: "some", grantId: "grant" };
      const { id: connectionId } = await upsertConnection(trx, grant, 1);
      await putJob(trx, { ...idleJob, priority: 0, extent: "whole", named: [], connectionId, dueAt: 0 });
      await insertRevocation(trx, { provider: "some", sealedToken, dueAt: 0 });
      // As if a change of the key had been interrupted.
      await trx
        .updateTable("installation")
        .set({ next_key_check: randomBytes(40) })
        .execute();
      const token = { name: "token", scopes: ["graph:read" as const], workspaceIds: ["workspace"] };
      const times = { expiresInDays: null, createdAt: 1, expiresAt: null };
      const made = { ...token, ...times, userId: "one", hash: randomBytes(32), prefix: "svc_12345678" };
      return (await insertServiceToken(trx, made)).id;
    });
  });
  return { installation, tokenId };
}

/** The columns with bytes, as `table.column`. */
async function byteColumns({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select t.name || '.' || c.name as name from sqlite_master t, pragma_table_info(t.name) c
    where t.type = 'table' and c.type = 'BLOB' order by 1`.execute(read);
  return rows.map(({ name }) => name);
}

/** All values of the sealed columns, in hexadecimal. */
async function sealedValues({ read }: Database): Promise<Map<string, string[]>> {
  const values = new Map<string, string[]>();
  for (const name of sealed) {
    const [table = "", column = ""] = name.split(".");
    const { rows } = await sql<{ value: string }>`
      select hex(${sql.ref(column)}) as value from ${sql.table(table)} where length(${sql.ref(column)}) > 0`.execute(
      read,
    );
    values.set(
      name,
      rows.map(({ value }) => value),
    );
  }
  return values;
}

test("OPS-7: the columns of secrets are known: add a new one to `giveUpSecrets`, or a name to this test", async (t) => {
  const installation = await testInstallation(t);
  const columns = await installation.withoutKey(byteColumns);
  assert.deepEqual(
    columns.filter((name) => !unsealed.test(name)),
    sealed,
  );
});

test("OPS-7: keys reset --lost gives up every secret, and keeps people, tokens and audit trails", async (t) => {
  const { installation, tokenId } = await withSecrets(t);
  const before = await installation.withoutKey(sealedValues);
  for (const [name, values] of before) assert.ok(values.length > 0, `there is none in ${name}`);
  await rm(installation.keyFile);
  const said = await installation.run("keys", "reset", "--lost");
  assert.match(said, /sign in again: 1\. Sessions ended: 1\./);
  assert.match(said, /can no longer revoke 1 grants/);
  assert.equal((await stat(installation.keyFile)).mode & 0o777, 0o600);

  const after = await installation.withoutKey(sealedValues);
  const old = new Set([...before.values()].flat());
  for (const [name, values] of after)
    assert.deepEqual(
      values.filter((value) => old.has(value)),
      [],
      `an old secret is left in ${name}`,
    );
  // The next start makes signing keys.
  await installation.with(async ({ database, keys, users }) => {
    assert.ok(await keys.current());
    assert.deepEqual(await users(), ["one"]);
    assert.equal((await findServiceToken(database.read, "one", tokenId))?.revokedAt, null);
    const [connection] = await database.read
      .selectFrom("connections")
      .select(["status", "withdrawn_at", "sync_state", "sync_error"])
      .execute();
    assert.deepEqual([connection?.status, connection?.sync_state], ["needs_reauth", "failed"]);
    assert.equal(connection?.withdrawn_at, installation.now);
    assert.match(connection?.sync_error ?? "", /Sign in again/);
    const [line] = await listAudit(database.read, "one", { limit: 1 });
    assert.deepEqual([line?.event, line?.reason], ["signed_out", "operator"]);
    assert.deepEqual(await database.read.selectFrom("sync_jobs").selectAll().execute(), []);
  });
  const fingerprint = /fingerprint ([0-9a-f]{16})\./.exec(said)?.[1];
  assert.match(await installation.run("verify"), new RegExp(`with the key ${fingerprint}\\.`));
  assert.match(await installation.run("keys", "rotate", "--encryption"), /new key: 1\./);
});

test("OPS-7: keys reset is refused without --lost, while Clew runs, and while a key at hand opens the secrets", async (t) => {
  const { installation } = await withSecrets(t);
  const before = await installation.withoutKey(sealedValues);
  await assert.rejects(installation.run("keys", "reset"), { code: "commander.missingMandatoryOptionValue" });
  await assert.rejects(installation.run("keys", "reset", "--lost"), /The key is not lost/);
  // The key is that of an interrupted change.
  await copyFile(installation.keyFile, `${installation.keyFile}.next`);
  await rm(installation.keyFile);
  await assert.rejects(installation.run("keys", "reset", "--lost"), /The key is not lost/);
  await rm(`${installation.keyFile}.next`);
  await installation.withoutKey(async () => {
    await assert.rejects(installation.run("keys", "reset", "--lost"), /stop Clew first/);
  });
  assert.deepEqual(await installation.withoutKey(sealedValues), before);
  assert.ok(!(await readdir(installation.folder)).includes("encryption.key"));
});

test("OPS-7: a reset that was killed can be run again, with the key file that it made", async (t) => {
  const { installation } = await withSecrets(t);
  await rm(installation.keyFile);
  let draws = 0;
  installation.random = (size) => {
    // The key and the name of its draft are drawn, then the nonce of the key check.
    draws += 1;
    if (draws === 3) throw new Error("killed");
    return randomBytes(size);
  };
  await assert.rejects(installation.run("keys", "reset", "--lost"), /killed/);
  const made = await readFile(installation.keyFile, "utf8");
  installation.random = randomBytes;
  await installation.run("keys", "reset", "--lost");
  assert.equal(await readFile(installation.keyFile, "utf8"), made);
  assert.match(await installation.run("verify"), /is sound/);
});

test("OPS-7: keys reset --lost uses the key of ENCRYPTION_KEY, and leaves no key file", async (t) => {
  const { installation } = await withSecrets(t, { ENCRYPTION_KEY: randomBytes(32).toString("base64") });
  installation.settings = { ENCRYPTION_KEY: randomBytes(32).toString("base64") };
  await assert.rejects(installation.run("verify"), { code: "unfinished_change" });
  assert.match(await installation.run("keys", "reset", "--lost"), /the key in ENCRYPTION_KEY/);
  assert.match(await installation.run("verify"), /is sound/);
  assert.deepEqual(
    (await readdir(installation.folder)).filter((name) => name.includes("key")),
    [],
  );
});
