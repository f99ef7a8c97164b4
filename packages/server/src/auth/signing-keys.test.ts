import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { somewhere } from "../model/testing/actor.ts";
import { createSecrets } from "../secrets/secrets.ts";
import { listAudit } from "../store/queries/audit.ts";
import { insertSigningKey, retireSigningKeys, signingKeys } from "../store/queries/signing-keys.ts";
import { createSigningKeys } from "./signing-keys.ts";
import { type AuthFixture, createAuthFixture, day, hour, minute } from "./testing/auth-fixture.ts";
import { takeApart } from "./testing/forge.ts";

const run = promisify(execFile);

const open = (fixture: AuthFixture, database = fixture.database) =>
  createSigningKeys({ database, secrets: fixture.secrets, clock: fixture.clock, random: randomBytes });

test("SESS-7: processes that start at the same time share one key", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "clew-keys-"));
  t.after(() => rm(folder, { recursive: true }));
  const program = join(import.meta.dirname, "testing/first-key-process.ts");
  const argv = [program, join(folder, "clew.db"), randomBytes(32).toString("hex")];
  const processes = Array.from({ length: 3 }, () => run(process.execPath, argv));
  const kids = (await Promise.all(processes)).map(({ stdout }) => stdout);
  assert.match(kids[0] ?? "", /^[\w-]{22}$/);
  assert.equal(new Set(kids).size, 1, kids.join(" "));
});

test("SESS-1: the key is 256 random bits, and SIGN-8: it is encrypted in the store", async (t) => {
  const fixture = await createAuthFixture(t);
  const [row] = await signingKeys(fixture.database.read);
  assert.ok(row);
  const secret = fixture.secrets.open(row.sealedSecret, `signing-key:${row.kid}`);
  assert.equal(secret.length, 32);
  assert.equal(Buffer.from(row.sealedSecret).includes(Buffer.from(secret)), false);
  const { key } = await (await open(fixture)).current();
  assert.equal(key.extractable, false);
});

test("SESS-7: a key survives a restart", async (t) => {
  const fixture = await createAuthFixture(t);
  const user = await fixture.signUp("owner");
  const { access, refresh } = await fixture.signIn(user.id);
  const restarted = await fixture.instance();
  assert.equal((await restarted.sessions.verifyAccess(access)).userId, user.id);
  await restarted.sessions.refresh(refresh, somewhere);
});

test("SESS-7: after a rotation the new key signs on every instance, and existing sessions stay valid", async (t) => {
  const fixture = await createAuthFixture(t);
  const other = await fixture.instance();
  const user = await fixture.signUp("owner");
  const before = await fixture.signIn(user.id);
  await (await open(fixture)).rotate();
  const after = await fixture.signIn(user.id);
  const { access: elsewhere } = await other.sessions.refresh(before.refresh, somewhere);

  const kid = (token: string) => takeApart(token).header.kid;
  assert.notEqual(kid(after.access), kid(before.access));
  assert.equal(kid(elsewhere), kid(after.access));
  for (const { sessions } of [fixture, other]) {
    for (const access of [before.access, after.access, elsewhere]) {
      assert.equal((await sessions.verifyAccess(access)).userId, user.id);
    }
    await sessions.refresh(before.refresh, somewhere);
    await sessions.refresh(after.refresh, somewhere);
  }
});

test("SESS-7: another instance accepts a new key's token at once, even just after a forged one", async (t) => {
  const fixture = await createAuthFixture(t);
  const user = await fixture.signUp("owner");
  const keys = await open(fixture);
  assert.equal(await keys.find(randomBytes(16).toString("base64url")), null);
  await (await open(fixture, (await fixture.instance()).database)).rotate();
  const { access } = await fixture.signIn(user.id);
  const kid = String(takeApart(access).header.kid);
  assert.deepEqual(
    (await Promise.all(Array.from({ length: 5 }, () => keys.find(kid)))).map((key) => key?.kid),
    Array(5).fill(kid),
  );
});

test("SESS-7: an old key verifies until its last token has expired, and is then deleted", async (t) => {
  const fixture = await createAuthFixture(t);
  const keys = await open(fixture);
  const old = await keys.current();
  await keys.rotate();
  fixture.clock.advance(7 * day);
  assert.equal((await keys.find(old.kid))?.kid, old.kid, "a token signed just before the rotation");
  fixture.clock.advance(hour + minute);
  assert.equal(await keys.find(old.kid), null);
  await open(fixture);
  const left = await signingKeys(fixture.database.read);
  assert.deepEqual(
    left.map(({ kid }) => kid),
    [(await keys.current()).kid],
  );
});

test("SESS-7: revoking a leaked key ends it and every session on every instance at once", async (t) => {
  const fixture = await createAuthFixture(t);
  const other = await fixture.instance();
  const user = await fixture.signUp("owner");
  const before = await fixture.signIn(user.id);
  const keys = await open(fixture);
  const elsewhere = await open(fixture, other.database);
  const leaked = await keys.current();
  for (const { sessions } of [fixture, other]) await sessions.verifyAccess(before.access);
  assert.equal((await elsewhere.find(leaked.kid))?.kid, leaked.kid);

  assert.equal(await keys.revokeOld(), 1);
  const [ended] = await listAudit(fixture.database.read, user.id, { limit: 1 });
  assert.deepEqual(
    [ended?.event, ended?.reason, ended?.sessionId],
    ["signed_out", "operator", before.sessionId],
  );
  for (const { sessions } of [fixture, other]) {
    await assert.rejects(sessions.verifyAccess(before.access), { code: "token_revoked" });
    await assert.rejects(sessions.refresh(before.refresh, somewhere), { name: "ApiError" });
  }
  // The leaked key cannot sign for later sessions either.
  assert.equal(await keys.find(leaked.kid), null);
  assert.equal(await elsewhere.find(leaked.kid), null);
  const after = await fixture.signIn(user.id);
  for (const { sessions } of [fixture, other]) await sessions.verifyAccess(after.access);
});

test("SESS-7: a new session is signed with the key that its transaction sees", async (t) => {
  const { database, secrets, sessions, signUp } = await createAuthFixture(t);
  const user = await signUp("owner");
  const kid = randomBytes(16).toString("base64url");
  const sealedSecret = secrets.seal(randomBytes(32), `signing-key:${kid}`);
  const session = await database.transaction(async (trx) => {
    await insertSigningKey(trx, { kid, sealedSecret, createdAt: 1 });
    await retireSigningKeys(trx, { exceptKid: kid, now: 1 });
    return sessions.open(trx, user.id, null);
  });
  for (const token of [session.access, session.refresh]) assert.equal(takeApart(token).header.kid, kid);
  assert.equal((await sessions.verifyAccess(session.access)).userId, user.id);
});

test("SESS-7: Clew refuses to start with signing keys from another encryption key", async (t) => {
  const fixture = await createAuthFixture(t);
  const secrets = createSecrets(randomBytes(32), randomBytes);
  await assert.rejects(createSigningKeys({ ...fixture, secrets, random: randomBytes }));
});
