import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditLine } from "@clew/contract";
import { pino } from "pino";
import { disconnect } from "../../connections/remove.ts";
import { actorOf } from "../../model/testing/actor.ts";
import { deleteUser } from "../../store/queries/users.ts";
import { refuseInserts } from "../../store/testing/refuse-writes.ts";
import {
  type AccountServer,
  followCursors,
  type SignedIn,
  serveAccounts,
  validBody,
  workspaceId,
} from "../testing/account-server.ts";

const hour = 3_600_000;
const address = "127.0.0.1";
const userAgent = "lightMyRequest";

const linesOf = async (person: SignedIn, query?: string): Promise<AuditLine[]> =>
  (await person.audit(query)).body.items;

const named = ({ id, name, prefix }: { id: number; name: string; prefix: string }) => ({ id, name, prefix });

test("TOK-12: a creation, a rotation and a revocation are one line each, with event, time, session and address", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: first } = await person.create(validBody);
  const created = fixture.clock();
  fixture.clock.advance(1000);
  const { body: second } = await person.rotate(first.id, { overlap_hours: 1 });
  fixture.clock.advance(1000);
  await person.revoke(second.id);
  const about = {
    session_id: person.sessionId,
    successor_id: null,
    workspace_id: null,
    reason: null,
    address,
  };
  const expectedLine = (line: Partial<AuditLine>) => ({ ...about, user_agent: userAgent, ...line });
  const at = (later: number) => new Date(created + later).toISOString();
  const lines = await linesOf(person);
  const [newest = 0, middle = 0, oldest = 0] = lines.map(({ id }) => id);
  assert.ok(newest > middle && middle > oldest);
  assert.deepEqual(lines, [
    expectedLine({ id: newest, at: at(2000), event: "token_revoked", token: named(second) }),
    expectedLine({
      id: middle,
      at: at(1000),
      event: "token_rotated",
      token: named(first),
      successor_id: second.id,
    }),
    expectedLine({ id: oldest, at: at(0), event: "token_created", token: named(first) }),
  ]);
});

test("TOK-12: a refused action, or one without effect, adds no line", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  await person.create({ ...validBody, name: "" });
  await person.rotate(body.id, { overlap_hours: -1 });
  await person.revoke(body.id);
  await person.revoke(body.id);
  await person.rotate(body.id);
  await person.revoke(body.id + 1);
  const events = (await linesOf(person)).map(({ event }) => event);
  assert.deepEqual(events, ["token_revoked", "token_created"]);
});

test("TOK-12: each refused use of a known token is a line with the reason, on any instance", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const { body: usable } = await person.create(validBody);
  const { body: expiring } = await person.create({ ...validBody, expires_in_days: 1 });
  const { body: revoked } = await person.create(validBody);
  await person.revoke(revoked.id);
  server.fixture.clock.advance(24 * hour);
  const later = await server.signIn("a");
  const there = await server.elsewhere();
  await server.as(usable.token).list();
  await there.as(revoked.token).list();
  await server.as(expiring.token).list();
  await server.as(expiring.token).audit();
  await there.flush();
  const refused = (await linesOf(later)).filter(({ event }) => event === "token_refused");
  const refusals = refused.map(({ token, reason, session_id }) => [token?.id, reason, session_id]);
  assert.deepEqual(
    refusals.toSorted(),
    [
      [usable.id, "wrong_token_type", null],
      [expiring.id, "token_expired", null],
      [expiring.id, "token_expired", null],
      [revoked.id, "token_revoked", null],
    ].toSorted(),
  );
  assert.ok(refused.every((line) => line.address === address && line.user_agent === userAgent));
});

test("TOK-12: an unknown token and an accepted token leave no line", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  for (const bearer of [null, `svc_${"a".repeat(32)}`, "svc_short", "nonsense"]) {
    assert.equal((await server.as(bearer).list()).status, 401);
  }
  assert.deepEqual(await linesOf(person), []);
});

test("TOK-12: the first 100 and the latest 900 refused uses of a token are kept, and displace no other lines", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const { body: noisy } = await person.create({ ...validBody, name: "noisy" });
  const { body: quiet } = await person.create({ ...validBody, name: "quiet" });
  await server.as(quiet.token).list();
  await server.flush();
  const begun = server.fixture.clock();
  for (const rounds of [3, 1002]) {
    for (let round = 0; round < rounds; round += 1) {
      await server.as(noisy.token).list();
      server.fixture.clock.advance(1);
    }
    await server.flush();
  }
  const rows = await server.fixture.database.read
    .selectFrom("audit")
    .select("at")
    .where("event", "=", "token_refused")
    .where("token_id", "=", noisy.id)
    .orderBy("id")
    .execute();
  const kept = rows.map(({ at }) => at);
  const all = Array.from({ length: 1005 }, (_, index) => begun + index);
  assert.deepEqual(kept, [...all.slice(0, 100), ...all.slice(-900)]);
  const count = async (event: string, id: number) => {
    const rows = await server.fixture.database.read
      .selectFrom("audit")
      .select("id")
      .where("event", "=", event as never)
      .where("token_id", "=", id)
      .execute();
    return rows.length;
  };
  assert.deepEqual(
    [await count("token_refused", noisy.id), await count("token_refused", quiet.id)],
    [1000, 1],
  );
  assert.deepEqual([await count("token_created", noisy.id), await count("token_created", quiet.id)], [1, 1]);
});

test("TOK-12: refusals of an account that is deleted at once do not prevent those of others from being written", async (t) => {
  const server = await serveAccounts(t);
  const [leaving, staying] = [await server.signIn("a"), await server.signIn("b")];
  const tokens = [(await leaving.create(validBody)).body.token, (await staying.create(validBody)).body.token];
  for (const token of tokens) await server.as(token).list();
  await server.fixture.database.transaction((trx) => deleteUser(trx, leaving.userId));
  const [line] = await linesOf(staying);
  assert.deepEqual([line?.event, line?.reason], ["token_refused", "wrong_token_type"]);
});

test("TOK-12: a trail can be read while it cannot be written, and lists the refusals later", async (t) => {
  const server = await serveAccounts(t);
  const person = await server.signIn("a");
  const { body } = await person.create(validBody);
  const { database } = server.fixture;
  const allow = await refuseInserts(database, "audit");
  await server.as(body.token).list();
  assert.deepEqual(
    (await linesOf(person)).map(({ event }) => event),
    ["token_created"],
  );
  await allow();
  assert.deepEqual(
    (await linesOf(person)).map(({ event }) => event),
    ["token_refused", "token_created"],
  );
});

test("TOK-12: a token that lost its last workspace is listed as revoked for that reason", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body } = await person.create(validBody);
  const idle = { sync: { abandon: async () => {} }, graphs: { forget: () => {} } };
  // The grant of a connection of this fixture has no encrypted tokens, which is logged and ignored.
  const log = pino({ level: "silent" });
  await disconnect({ ...fixture, ...idle, log }, actorOf(person), workspaceId);
  const [, line] = await linesOf(person);
  assert.deepEqual(
    [line?.event, line?.token?.id, line?.reason, line?.session_id, line?.address],
    ["token_revoked", body.id, "workspace_disconnected", null, null],
  );
});

test("TOK-12: a token's own trail includes the rotation that created it", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  const { body: first } = await person.create(validBody);
  const { body: second } = await person.rotate(first.id);
  await person.create(validBody);
  const about = async (id: number) => (await linesOf(person, `?token_id=${id}`)).map(({ event }) => event);
  assert.deepEqual(await about(first.id), ["token_rotated", "token_created"]);
  assert.deepEqual(await about(second.id), ["token_rotated"]);
  assert.deepEqual(await about(999), []);
});

test("TOK-12: a trail is readable only by its owner, and only with a session", async (t) => {
  const { as, signIn } = await serveAccounts(t);
  const [owner, stranger] = [await signIn("a"), await signIn("b")];
  const { body } = await owner.create(validBody);
  assert.deepEqual(await linesOf(stranger), []);
  assert.deepEqual(await linesOf(stranger, `?token_id=${body.id}`), []);
  assert.equal((await as(null).audit()).status, 401);
  assert.equal((await as(body.token).audit()).body.code, "wrong_token_type");
});

test("GRAPH-12: the pages of a trail list each line once, and a cursor is valid for one trail", async (t) => {
  const { signIn } = await serveAccounts(t);
  const [person, stranger] = [await signIn("a"), await signIn("b")];
  const { body } = await person.create(validBody);
  for (let i = 0; i < 4; i += 1) await person.revoke((await person.create(validBody)).body.id);
  const ids = (await followCursors<AuditLine>(person.audit, 2)).map(({ id }) => id);
  assert.equal(new Set(ids).size, 9);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  );
  const { next_cursor: next } = (await person.audit("?limit=2")).body;
  assert.equal((await stranger.audit(`?limit=2&cursor=${next}`)).body.code, "invalid_cursor");
  assert.equal((await person.audit(`?token_id=${body.id}&cursor=${next}`)).body.code, "invalid_cursor");
  for (const query of ["?limit=0", "?limit=101", "?token_id=0", "?token_id=x", "?event=signed_in"])
    assert.equal((await person.audit(query)).status, 400, query);
});

test("TOK-2: no line contains a raw token", async (t) => {
  const server: AccountServer = await serveAccounts(t);
  const person = await server.signIn("a");
  const { body } = await person.create(validBody);
  await server.as(body.token).list();
  const { body: rotated } = await person.rotate(body.id);
  const { text } = await person.audit();
  for (const { token } of [body, rotated]) assert.ok(!text.includes(token.slice(12)));
});
