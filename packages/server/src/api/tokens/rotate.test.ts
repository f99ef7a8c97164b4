import assert from "node:assert/strict";
import { test } from "node:test";
import { removeWorkspaceFromTokens } from "../../store/queries/service-tokens.ts";
import { type AccountServer, serveAccounts, validBody, workspaceId } from "../testing/account-server.ts";

const hour = 3_600_000;
const day = 24 * hour;
const other = "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f";

/** The error with which the gate refuses a token: these routes accept no service token. */
const verdict = async (server: Pick<AccountServer, "as">, token: string) =>
  (await server.as(token).list()).body.code;

test("TOK-9: a rotation answers 201 with a new token of the same access and lifetime", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a", [workspaceId, other]);
  const body = {
    name: "nightly",
    scopes: ["graph:read", "graph:search"],
    workspace_ids: [other, workspaceId],
  };
  const { body: old } = await person.create({ ...body, expires_in_days: 30 });
  fixture.clock.advance(3 * hour);
  const { status, headers, body: rotated } = await person.rotate(old.id);
  assert.equal(status, 201);
  assert.equal(headers["cache-control"], "no-store");
  const { id, token, ...record } = rotated;
  assert.ok(id > old.id);
  assert.match(token, /^svc_[A-Za-z0-9]{32}$/);
  assert.notEqual(token, old.token);
  assert.deepEqual(record, {
    ...body,
    prefix: token.slice(0, 12),
    is_active: true,
    created_at: new Date(fixture.clock()).toISOString(),
    expires_at: new Date(fixture.clock() + 30 * day).toISOString(),
    client: null,
    created_by_browser: "lightMyRequest",
  });
});

test("TOK-9: a token that never expires is replaced by one that never expires", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  assert.equal((await person.rotate(body.id, {})).body.expires_at, null);
});

test("TOK-9: without an overlap the old token is refused at once on every instance", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const there = await server.elsewhere();
  const { body: old } = await person.create(validBody);
  assert.equal(await verdict(there, old.token), "wrong_token_type");
  const { body: rotated } = await person.rotate(old.id, { overlap_hours: 0 });
  assert.deepEqual(
    [await verdict(server, old.token), await verdict(there, old.token), await verdict(there, rotated.token)],
    ["token_revoked", "token_revoked", "wrong_token_type"],
  );
  const [item] = (await person.list("?is_active=false")).body.items;
  assert.deepEqual([item.id, item.status, item.revoked_at], [old.id, "revoked", rotated.created_at]);
});

test("TOK-9: with an overlap both tokens work until it ends, and the list shows when", async (t) => {
  const server = await serveAccounts(t);
  const { fixture, signIn } = server;
  const person = await signIn("a");
  const { body: old } = await person.create(validBody);
  const { body: rotated } = await person.rotate(old.id, { overlap_hours: 2 });
  const end = fixture.clock() + 2 * hour;
  const stateOf = async () => {
    const { items } = (await person.list()).body;
    const { status, is_active, revoked_at } = items.find(({ id }: { id: number }) => id === old.id);
    return [status, is_active, revoked_at];
  };
  fixture.clock.advance(2 * hour - 1);
  assert.deepEqual(await stateOf(), ["active", true, new Date(end).toISOString()]);
  assert.equal(await verdict(server, old.token), "wrong_token_type");
  fixture.clock.advance(1);
  assert.deepEqual(await stateOf(), ["revoked", false, new Date(end).toISOString()]);
  assert.equal(await verdict(server, old.token), "token_revoked");
  assert.equal(await verdict(server, rotated.token), "wrong_token_type");
});

test("TOK-9: a token in its overlap can be revoked at once", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const { body: old } = await person.create(validBody);
  await person.rotate(old.id, { overlap_hours: 168 });
  assert.equal((await person.revoke(old.id)).status, 204);
  assert.equal(await verdict(server, old.token), "token_revoked");
  const revokedAt = new Date(server.fixture.clock()).toISOString();
  server.fixture.clock.advance(hour);
  await person.revoke(old.id);
  assert.equal((await person.list("?is_active=false")).body.items[0].revoked_at, revokedAt);
});

test("TOK-9: an overlap does not extend the old token's expiry", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const { body: old } = await person.create({ ...validBody, expires_in_days: 1 });
  await person.rotate(old.id, { overlap_hours: 48 });
  server.fixture.clock.advance(day);
  assert.equal(await verdict(server, old.token), "token_expired");
});

test("TOK-6: a token in its overlap counts, so with ten tokens an overlap is refused", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: first } = await person.create(validBody);
  for (let i = 0; i < 8; i++) await person.create(validBody);
  const overlapping = await person.rotate(first.id, { overlap_hours: 1 });
  assert.equal(overlapping.status, 201);
  assert.equal((await person.create(validBody)).body.code, "token_limit_reached");
  const { id } = overlapping.body;
  const refused = await person.rotate(id, { overlap_hours: 1 });
  assert.deepEqual([refused.status, refused.body.code], [409, "token_limit_reached"]);
  assert.match(refused.body.detail, /without an overlap/);
  // The refusal changed nothing: the token can still be rotated.
  assert.equal((await person.rotate(id, { overlap_hours: 0 })).status, 201);
  fixture.clock.advance(hour);
  assert.equal((await person.create(validBody)).status, 201);
  assert.equal((await person.create(validBody)).status, 409);
});

test("TOK-9: a token that is revoked, expired or in its overlap is not rotated", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const [revoked, expired, overlapping] = await Promise.all(
    [null, 1, null].map(
      async (days) => (await person.create({ ...validBody, expires_in_days: days })).body.id,
    ),
  );
  fixture.clock.advance(day);
  const later = await signIn("a");
  await later.revoke(revoked);
  const { body } = await later.rotate(overlapping, { overlap_hours: 1 });
  for (const id of [revoked, expired, overlapping]) {
    const answer = await later.rotate(id);
    assert.deepEqual([answer.status, answer.body.code], [409, "conflict"], answer.text);
  }
  const { items } = (await later.list("?is_active=true")).body;
  assert.deepEqual(
    items.map(({ id }: { id: number }) => id),
    [body.id, overlapping],
  );
});

test("TOK-9: of many simultaneous rotations of one token, one succeeds", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, hours) => person.rotate(body.id, { overlap_hours: hours })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array(19).fill(409)]);
});

test("TOK-9: a token whose workspaces are no longer connected is not rotated", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a", [workspaceId, other]);
  const { body } = await person.create({ ...validBody, workspace_ids: [workspaceId, other] });
  const { id: connectionId } = await fixture.database.read
    .selectFrom("connections")
    .select("id")
    .where("workspace_id", "=", other)
    .executeTakeFirstOrThrow();
  await fixture.database.transaction((trx) =>
    trx.deleteFrom("connections").where("id", "=", connectionId).execute(),
  );
  const answer = await person.rotate(body.id);
  assert.deepEqual([answer.status, answer.body.code], [409, "conflict"]);
  assert.match(answer.body.detail, new RegExp(other));
  // Disconnecting removes the workspace from the token, which then opens only the others, like its successor.
  await fixture.database.transaction((trx) =>
    removeWorkspaceFromTokens(trx, person.userId, other, fixture.clock()),
  );
  assert.deepEqual((await person.rotate(body.id)).body.workspace_ids, [workspaceId]);
});

test("GRAPH-15: a token in its overlap that lost its last workspace is refused at once", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  await person.rotate(body.id, { overlap_hours: 1 });
  await fixture.database.transaction((trx) =>
    removeWorkspaceFromTokens(trx, person.userId, workspaceId, fixture.clock()),
  );
  const { items } = (await person.list()).body;
  assert.deepEqual(
    items.map(({ status }: { status: string }) => status),
    ["revoked", "revoked"],
  );
});

test("TOK-9: an overlap other than 0 to 168 whole hours is refused, and nothing changes", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  for (const hours of [-1, 169, 0.5, "1", true, null, [1]]) {
    const answer = await person.rotate(body.id, { overlap_hours: hours });
    assert.equal(answer.status, 400, String(hours));
    assert.deepEqual(
      answer.body.errors.map(({ path }: { path: string }) => path),
      ["/overlap_hours"],
    );
  }
  assert.deepEqual((await person.rotate(body.id, { name: "x" })).body.errors[0].path, "/name");
  for (const wrong of ["null", "[]", "7"]) assert.equal((await person.rotate(body.id, wrong)).status, 400);
  assert.equal((await person.list()).body.items.length, 1);
});

test("TOK-9: another user's token and a malformed id are 404, and a session is required", async (t) => {
  const { as, signIn } = await serveAccounts(t);
  const [owner, stranger] = [await signIn("a"), await signIn("b")];
  const { body } = await owner.create(validBody);
  for (const answer of [
    await stranger.rotate(body.id),
    await owner.rotate(body.id + 1),
    await owner.rotate("01"),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [404, "not_found"]);
  }
  assert.equal((await as(null).rotate(body.id)).status, 401);
  assert.equal((await as(body.token).rotate(body.id)).body.code, "wrong_token_type");
  assert.equal((await owner.list()).body.items.length, 1);
});
