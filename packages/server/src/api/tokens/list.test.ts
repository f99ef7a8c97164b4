import assert from "node:assert/strict";
import { test } from "node:test";
import { recordTokenUse } from "../../store/queries/service-tokens.ts";
import { type Calls, serveAccounts, validBody } from "../testing/account-server.ts";
import type { Answer } from "../testing/route-server.ts";

const day = 86_400_000;

const namesOf = ({ body }: Answer): string[] => body.items.map(({ name }: { name: string }) => name);

/** The page that a `Link` header leads to. */
async function follow(person: Calls, answer: Answer): Promise<Answer> {
  const [, target = ""] = /^<\/api\/tokens\/([^>]*)>; rel="next"$/.exec(String(answer.headers.link)) ?? [];
  return person.list(target);
}

test("TOK-7: the list is newest first and shows everything but the raw token", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: older } = await person.create({ ...validBody, name: "older", expires_in_days: 1 });
  fixture.clock.advance(1000);
  const { body: newer } = await person.create({ ...validBody, name: "newer" });
  fixture.clock.advance(1000);
  await person.revoke(newer.id);
  await fixture.database.transaction((trx) => recordTokenUse(trx, new Map([[older.id, fixture.clock()]])));

  const { status, body } = await person.list();
  assert.equal(status, 200);
  const { token: _older, ...olderRecord } = older;
  const { token: _newer, ...newerRecord } = newer;
  const now = new Date(fixture.clock()).toISOString();
  assert.deepEqual(body, {
    items: [
      { ...newerRecord, is_active: false, status: "revoked", revoked_at: now, last_used_at: null },
      { ...olderRecord, is_active: true, status: "active", revoked_at: null, last_used_at: now },
    ],
    next_cursor: null,
  });
});

test("TOK-10: a use is listed at once by the process that served it, without a write", async (t) => {
  const { fixture, signIn, as, elsewhere } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: created } = await person.create(validBody);
  const lastUse = async (calls: Calls) => (await calls.list()).body.items[0].last_used_at;
  assert.equal(await lastUse(person), null);
  fixture.clock.advance(3000);
  await as(created.token).list();
  const usedAt = new Date(fixture.clock()).toISOString();
  assert.equal(await lastUse(person), usedAt);
  const other = await elsewhere();
  assert.equal(await lastUse(other.as(person.access)), null);
  // A later write of another process counts.
  const later = fixture.clock() + 1000;
  await fixture.database.transaction((trx) => recordTokenUse(trx, new Map([[created.id, later]])));
  assert.equal(await lastUse(person), new Date(later).toISOString());
});

test("TOK-7: a token is expired at and after expires_at", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  await (await signIn("a")).create({ ...validBody, expires_in_days: 1 });
  const statusAfter = async (time: number) => {
    fixture.clock.advance(time);
    const [item] = (await (await signIn("a")).list()).body.items;
    return [item.status, item.is_active];
  };
  assert.deepEqual(await statusAfter(day - 1), ["active", true]);
  assert.deepEqual(await statusAfter(1), ["expired", false]);
});

test("TOK-7: is_active filters", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const created = [];
  for (const name of ["one", "two", "three"]) created.push(await person.create({ ...validBody, name }));
  await person.revoke(created[1]?.body.id);
  assert.deepEqual(namesOf(await person.list("?is_active=true")), ["three", "one"]);
  assert.deepEqual(namesOf(await person.list("?is_active=false")), ["two"]);
  assert.deepEqual(namesOf(await person.list()), ["three", "two", "one"]);
});

test("TOK-7: revoked and expired tokens stay listed for 90 days", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: revoked } = await person.create({ ...validBody, name: "revoked" });
  await person.create({ ...validBody, name: "expiring", expires_in_days: 1 });
  await person.create({ ...validBody, name: "lasting" });
  await person.revoke(revoked.id);
  const listedAfter = async (time: number) => {
    fixture.clock.advance(time);
    return namesOf(await (await signIn("a")).list());
  };
  assert.deepEqual(await listedAfter(90 * day - 1), ["lasting", "expiring", "revoked"]);
  assert.deepEqual(await listedAfter(1), ["lasting", "expiring"]);
  assert.deepEqual(await listedAfter(day), ["lasting"]);
});

test("TOK-7: users see only their own tokens", async (t) => {
  const { signIn } = await serveAccounts(t);
  const [one, two] = [await signIn("a"), await signIn("b")];
  await one.create(validBody);
  assert.deepEqual((await two.list()).body.items, []);
});

test("GRAPH-12: following next, by cursor or Link, gives every token once, even while others are created and revoked", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const created = [];
  for (let i = 1; i <= 7; i++) created.push(await person.create({ ...validBody, name: `token ${i}` }));
  const first = await person.list("?limit=3");
  assert.deepEqual(namesOf(first), ["token 7", "token 6", "token 5"]);
  await person.create({ ...validBody, name: "token 8" });
  await person.revoke(created[3]?.body.id);
  const second = await follow(person, first);
  assert.deepEqual(namesOf(second), ["token 4", "token 3", "token 2"]);
  const third = await person.list(`?limit=3&cursor=${second.body.next_cursor}`);
  assert.deepEqual(namesOf(third), ["token 1"]);
  assert.equal(third.body.next_cursor, null);
  assert.equal(third.headers.link, undefined);
});

test("GRAPH-12: a full last page has no next", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  await person.create(validBody);
  await person.create(validBody);
  assert.equal((await person.list("?limit=2")).body.next_cursor, null);
});

test("GRAPH-12: a cursor that was altered, or belongs to another user or filter, is refused", async (t) => {
  const { signIn } = await serveAccounts(t);
  const [one, two] = [await signIn("a"), await signIn("b")];
  await one.create(validBody);
  await one.create(validBody);
  const { next_cursor: cursor } = (await one.list("?limit=1")).body;
  const altered = cursor.replace(/^./, cursor.startsWith("A") ? "B" : "A");
  const refused = [
    await two.list(`?limit=1&cursor=${cursor}`),
    await one.list(`?limit=1&is_active=true&cursor=${cursor}`),
    await one.list(`?limit=1&cursor=${altered}`),
    await one.list("?cursor=7"),
    await one.list("?cursor="),
  ];
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    refused.map(() => [400, "invalid_cursor"]),
  );
});

test("TOK-7: an invalid parameter is refused by name", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  for (const query of [
    "limit=0",
    "limit=101",
    "limit=x",
    "is_active=maybe",
    "limit=1&limit=2",
    "sort=name",
  ]) {
    const { status, body } = await person.list(`?${query}`);
    assert.deepEqual([status, body.code], [400, "invalid_request"], query);
    assert.deepEqual(
      new Set(body.errors.map(({ path }: { path: string }) => path)),
      new Set([`?${query.split("=")[0]}`]),
    );
  }
});
