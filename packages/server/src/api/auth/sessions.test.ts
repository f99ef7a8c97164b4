import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditLine, Session } from "@clew/contract";
import { somewhere } from "../../model/testing/actor.ts";
import { insertAudit } from "../../store/queries/audit.ts";
import { followCursors, type SignedIn, serveAccounts } from "../testing/account-server.ts";

const day = 86_400_000;

const sessionsOf = async (person: SignedIn): Promise<Session[]> => (await person.sessions()).body.items;
const idsOf = async (person: SignedIn) => (await sessionsOf(person)).map(({ id }) => id);

test("SESS-8: the caller's sessions are listed, newest first, and the current one is marked", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const first = await signIn("a");
  const began = fixture.clock();
  fixture.clock.advance(1000);
  const second = await signIn("a");
  await signIn("b");
  const sessions = await sessionsOf(first);
  assert.deepEqual(
    sessions.map(({ id, current }) => [id, current]),
    [
      [second.sessionId, false],
      [first.sessionId, true],
    ],
  );
  const { id: _, ...firstSession } = sessions[1] ?? {};
  assert.deepEqual(firstSession, {
    created_at: new Date(began).toISOString(),
    last_refreshed_at: null,
    expires_at: new Date(Math.floor(began / 1000) * 1000 + 7 * day).toISOString(),
    address: null,
    user_agent: "A browser",
    refreshed_from: null,
    current: true,
  });
});

test("SESS-8: a session shows when it was last refreshed", async (t) => {
  const { fixture, as } = await serveAccounts(t);
  const { id } = await fixture.signUp("a");
  const { refresh, access } = await fixture.signIn(id);
  fixture.clock.advance(5000);
  await fixture.sessions.refresh(refresh, somewhere);
  const { items } = (await as(access).sessions()).body;
  assert.equal(items[0].last_refreshed_at, new Date(fixture.clock()).toISOString());
});

test("SESS-8: a session shows who signed in, and the latest refresh from elsewhere", async (t) => {
  const { fixture, as } = await serveAccounts(t);
  const { database, clock, sessions } = fixture;
  const { id: userId } = await fixture.signUp("a");
  const { refresh, access, sessionId } = await fixture.signIn(userId);
  const home = { address: "192.0.2.1", userAgent: "A browser" };
  await database.transaction((trx) =>
    insertAudit(trx, [{ userId, at: clock(), event: "signed_in", sessionId, origin: home }]),
  );
  const shown = async () => {
    const { address, user_agent, refreshed_from } = (await as(access).sessions()).body.items[0];
    return { address, user_agent, refreshed_from };
  };
  const opened = { address: "192.0.2.1", user_agent: "A browser", refreshed_from: null };
  await sessions.refresh(refresh, home);
  assert.deepEqual(await shown(), opened);

  for (const address of ["198.51.100.7", "203.0.113.9"]) {
    clock.advance(1000);
    const at = new Date(clock()).toISOString();
    await sessions.refresh(refresh, { address, userAgent: "A script" });
    // The owner's own refreshes do not hide it.
    clock.advance(1000);
    await sessions.refresh(refresh, home);
    const refreshed_from = { at, address, user_agent: "A script" };
    assert.deepEqual(await shown(), { ...opened, refreshed_from });
  }
});

test("SESS-8: ending a session takes effect at once on every instance", async (t) => {
  const { as, elsewhere, signIn } = await serveAccounts(t);
  const [here, there] = [await signIn("a"), await signIn("a")];
  const instance = await elsewhere();
  assert.equal((await instance.as(there.access).sessions()).status, 200);
  assert.equal((await here.endSession(there.sessionId)).status, 204);
  assert.equal((await instance.as(there.access).sessions()).body.code, "token_revoked");
  assert.equal((await as(there.access).sessions()).body.code, "token_revoked");
  assert.deepEqual(await idsOf(here), [here.sessionId]);
  assert.equal((await here.endSession(there.sessionId)).status, 204, "ending it again succeeds");
});

test("SESS-8: the current session can be ended like any other", async (t) => {
  const { signIn } = await serveAccounts(t);
  const person = await signIn("a");
  assert.equal((await person.endSession(person.sessionId)).status, 204);
  assert.equal((await person.sessions()).body.code, "token_revoked");
});

test("SESS-8: another user's session and an unknown id are 404 and end nothing", async (t) => {
  const { as, signIn } = await serveAccounts(t);
  const [owner, stranger] = [await signIn("a"), await signIn("b")];
  for (const id of [owner.sessionId, "no-such-session", "%00", "x".repeat(200)])
    assert.deepEqual((await stranger.endSession(id)).body.code, "not_found", id);
  assert.deepEqual(await idsOf(owner), [owner.sessionId]);
  assert.equal((await as(null).endSession(owner.sessionId)).status, 401);
});

test("SESS-8: all sessions but the current one are ended together", async (t) => {
  const { signIn } = await serveAccounts(t);
  const [here, one, two, stranger] = await Promise.all(["a", "a", "a", "b"].map((name) => signIn(name)));
  assert.ok(here && one && two && stranger);
  assert.equal((await here.endOtherSessions()).status, 204);
  assert.deepEqual(await idsOf(here), [here.sessionId]);
  assert.deepEqual(await idsOf(stranger), [stranger.sessionId]);
  for (const { sessions } of [one, two]) assert.equal((await sessions()).body.code, "token_revoked");
});

test("SESS-8: pages list each session once, including those that began in the same millisecond", async (t) => {
  const { signIn } = await serveAccounts(t);
  const people = await Promise.all(Array.from({ length: 5 }, () => signIn("a")));
  const [person] = people;
  assert.ok(person);
  const ids = (await followCursors<Session>(person.sessions, 2)).map(({ id }) => id);
  assert.deepEqual(
    ids,
    people
      .map(({ sessionId }) => sessionId)
      .toSorted()
      .reverse(),
  );
});

test("TOK-12: each ended session is one line of the audit trail, with the session that ended it", async (t) => {
  const { fixture, signIn } = await serveAccounts(t);
  const [here, one, two] = [await signIn("a"), await signIn("a"), await signIn("a")];
  const logout = { userId: here.userId, sessionId: here.sessionId, address: "192.0.2.1", userAgent: null };
  await here.endSession(one.sessionId);
  await here.endSession(one.sessionId);
  await here.endOtherSessions();
  const { refresh, access } = await fixture.signIn(here.userId);
  const { sessionId } = await fixture.sessions.verifyAccess(access);
  await fixture.sessions.logout({ ...logout, sessionId }, refresh);
  const lines: AuditLine[] = (await here.audit()).body.items;
  assert.deepEqual(
    lines.map(({ event, session_id, reason, address }) => [event, session_id, reason, address]),
    [
      ["signed_out", sessionId, null, "192.0.2.1"],
      ["signed_out", two.sessionId, "ended_elsewhere", "127.0.0.1"],
      ["signed_out", one.sessionId, "ended_elsewhere", "127.0.0.1"],
    ],
  );
});
