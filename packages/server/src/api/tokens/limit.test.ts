import assert from "node:assert/strict";
import { test } from "node:test";
import { serveAccounts, validBody } from "../testing/account-server.ts";

const day = 86_400_000;

test("TOK-6: the eleventh usable token is refused with 409 token_limit_reached", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (let i = 0; i < 10; i++) assert.equal((await person.create(validBody)).status, 201);
  const eleventh = await person.create(validBody);
  assert.equal(eleventh.status, 409);
  assert.equal(eleventh.body.code, "token_limit_reached");
  assert.equal((await person.list()).body.items.length, 10);
});

test("TOK-6: an invalid request at the limit gets its errors", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (let i = 0; i < 10; i++) await person.create(validBody);
  assert.equal((await person.create({ ...validBody, name: "" })).status, 400);
});

test("TOK-6: a revoked token makes room for one", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: unwanted } = await person.create(validBody);
  for (let i = 0; i < 9; i++) await person.create(validBody);
  await person.revoke(unwanted.id);
  assert.equal((await person.create(validBody)).status, 201);
  assert.equal((await person.create(validBody)).status, 409);
});

test("TOK-6: an expired token makes room from the moment it expires", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  await person.create({ ...validBody, expires_in_days: 1 });
  for (let i = 0; i < 9; i++) await person.create(validBody);
  fixture.clock.advance(day - 1);
  const later = await signIn("a");
  assert.equal((await later.create(validBody)).status, 409);
  fixture.clock.advance(1);
  assert.equal((await later.create(validBody)).status, 201);
  assert.equal((await later.create(validBody)).status, 409);
});

test("TOK-6: another instance counts the same tokens", async (t) => {
  const { elsewhere, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const there = (await elsewhere()).as(person.access);
  for (let i = 0; i < 5; i++) {
    assert.equal((await person.create(validBody)).status, 201);
    assert.equal((await there.create(validBody)).status, 201);
  }
  assert.deepEqual(
    [(await person.create(validBody)).status, (await there.create(validBody)).status],
    [409, 409],
  );
});

test("TOK-6: the limit applies to each user separately", async (t) => {
  const { signIn } = await serveAccounts(t);
  const [one, two] = [await signIn("a"), await signIn("b")];
  for (let i = 0; i < 10; i++) await one.create(validBody);
  assert.equal((await two.create(validBody)).status, 201);
});

test("TOK-6: of 100 simultaneous creations exactly ten succeed", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const answers = await Promise.all(Array.from({ length: 100 }, () => person.create(validBody)));
  const created = answers.filter(({ status }) => status === 201);
  assert.equal(created.length, 10);
  assert.equal(new Set(created.map(({ body }) => body.token)).size, 10);
  assert.equal(answers.filter(({ status }) => status === 409).length, 90);
});
