import assert from "node:assert/strict";
import { test } from "node:test";
import { serveAccounts, validBody } from "../testing/account-server.ts";

test("TOK-8: revoking answers 204, also when repeated, and keeps the first time", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  const first = await person.revoke(body.id);
  assert.deepEqual([first.status, first.text], [204, ""]);
  const revokedAt = new Date(fixture.clock()).toISOString();
  fixture.clock.advance(1000);
  assert.equal((await person.revoke(body.id)).status, 204);
  assert.equal((await person.list()).body.items[0].revoked_at, revokedAt);
});

test("TOK-8: a revoked token is refused at once on every instance", async (t) => {
  const { as, elsewhere, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  const there = await elsewhere();
  // These routes refuse a service token: at first because of its kind, and then because it was revoked.
  assert.deepEqual((await there.as(body.token).list()).body.code, "wrong_token_type");
  await person.revoke(body.id);
  assert.deepEqual((await there.as(body.token).list()).body.code, "token_revoked");
  assert.deepEqual((await as(body.token).list()).body.code, "token_revoked");
});

test("TOK-8: another user's token and a malformed id are 404", async (t) => {
  const { signIn } = await serveAccounts(t);
  const [owner, stranger] = [await signIn("a"), await signIn("b")];
  const { body } = await owner.create(validBody);
  const { id } = body;
  const ids = [
    `${id + 1}`,
    "0",
    `-${id}`,
    `0${id}`,
    `+${id}`,
    `${id}.0`,
    `${id}e0`,
    `0x${id.toString(16)}`,
    `${id}%20`,
    "one",
    "9".repeat(30),
    "9007199254740993",
  ];
  for (const answer of [await stranger.revoke(id), ...(await Promise.all(ids.map(owner.revoke)))]) {
    assert.deepEqual([answer.status, answer.body.code], [404, "not_found"]);
  }
  assert.equal((await owner.list()).body.items[0].status, "active");
});

test("TOK-8: an id is never reused", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const ids = [];
  for (let i = 0; i < 12; i++) {
    const { body } = await person.create(validBody);
    ids.push(body.id);
    await person.revoke(body.id);
  }
  assert.equal(new Set(ids).size, 12);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  );
});

test("TOK-8: revoking needs a session", async (t) => {
  const { as, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  assert.equal((await as(null).revoke(body.id)).status, 401);
  assert.equal((await as(body.token).revoke(body.id)).status, 403);
  assert.equal((await person.list()).body.items[0].status, "active");
});

test("OPS-6: an acknowledged revocation is committed: another connection to the file sees it", async (t) => {
  const { elsewhere, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const there = (await elsewhere()).as(person.access);
  const { body } = await person.create(validBody);
  assert.deepEqual(
    (await there.list()).body.items.map(({ id }: { id: number }) => id),
    [body.id],
  );
  await person.revoke(body.id);
  assert.equal((await there.list()).body.items[0].status, "revoked");
});
