import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../model/api-error.ts";
import { actorOf, somewhere } from "../model/testing/actor.ts";
import { insertAudit, listAudit } from "../store/queries/audit.ts";
import { findSession } from "../store/queries/sessions.ts";
import { createAuthFixture, day, hour, second } from "./testing/auth-fixture.ts";
import { takeApart } from "./testing/forge.ts";

const refusal = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

test("SESS-1: a sign-in issues a 4 h access token and a 7 d refresh token of one session", async (t) => {
  const { clock, sessions, signUp, signIn } = await createAuthFixture(t);
  const user = await signUp("owner");
  const opened = await signIn(user.id);
  assert.equal(opened.expiresIn, 14_400);
  const [access, refresh] = [takeApart(opened.access).payload, takeApart(opened.refresh).payload];
  const now = Math.floor(clock() / second);
  assert.deepEqual([access.iat, access.exp], [now, now + 14_400]);
  assert.deepEqual([refresh.iat, refresh.exp], [now, now + 604_800]);
  assert.deepEqual([access.sub, access.sid], [user.id, opened.sessionId]);
  assert.deepEqual([refresh.sub, refresh.sid], [user.id, opened.sessionId]);
  assert.deepEqual([access.aud, refresh.aud], ["clew:notion", "clew:notion"]);
  const caller = await sessions.verifyAccess(opened.access);
  assert.deepEqual(caller, {
    kind: "session",
    userId: user.id,
    sessionId: opened.sessionId,
    issuedAt: now * second,
    expiresAt: (now + 14_400) * second,
    connections: [],
  });
});

test("SESS-4: what was just read of a session decides without another read", async (t) => {
  const { database, sessions, signUp, signIn } = await createAuthFixture(t);
  const { access, refresh, sessionId } = await signIn((await signUp("owner")).id);
  const [found] = await database.callers([{ kind: "session", sessionId }]);
  await sessions.logout(actorOf(await sessions.verifyAccess(access)), refresh);
  assert.equal((await sessions.verifyAccess(access, found)).sessionId, sessionId);
  await assert.rejects(sessions.verifyAccess(access, null), refusal("token_revoked"));
});

test("SESS-1: an access token is valid for exactly 4 hours", async (t) => {
  const { clock, sessions, signUp, signIn } = await createAuthFixture(t);
  const { access } = await signIn((await signUp("owner")).id);
  const { expiresAt } = await sessions.verifyAccess(access);
  clock.advance(expiresAt - clock() - 1);
  await sessions.verifyAccess(access);
  clock.advance(1);
  await assert.rejects(sessions.verifyAccess(access), refusal("token_expired"));
});

test("SESS-1: an access token does not outlive its session", async (t) => {
  const { clock, sessions, signUp, signIn } = await createAuthFixture(t);
  const { refresh } = await signIn((await signUp("owner")).id);
  clock.advance(7 * day - hour);
  const { access } = await sessions.refresh(refresh, somewhere);
  assert.equal(takeApart(access).payload.exp, takeApart(refresh).payload.exp);
  const claims = await sessions.identify(access);
  clock.advance(hour);
  await assert.rejects(sessions.verifyAccess(access), refusal("token_expired"));
  clock.advance(claims.expiresAt - clock());
  await assert.rejects(sessions.confirm(claims), refusal("token_revoked"), "it ended while a body arrived");
});

test("SESS-3: a refresh token can be reused until it expires", async (t) => {
  const { clock, sessions, signUp, signIn } = await createAuthFixture(t);
  const user = await signUp("owner");
  const { refresh, sessionId } = await signIn(user.id);
  for (let days = 0; days < 7; days += 1) {
    const { access } = await sessions.refresh(refresh, somewhere);
    assert.equal((await sessions.verifyAccess(access)).sessionId, sessionId);
    clock.advance(day);
  }
  await assert.rejects(sessions.refresh(refresh, somewhere), refusal("token_expired"));
});

test("SESS-3: an access token, malformed text and a token of a deleted user cannot refresh", async (t) => {
  const { database, sessions, signUp, signIn } = await createAuthFixture(t);
  const user = await signUp("owner");
  const { access, refresh } = await signIn(user.id);
  await assert.rejects(sessions.refresh(access, somewhere), refusal("token_invalid"));
  await assert.rejects(sessions.refresh("nonsense", somewhere), refusal("token_invalid"));
  await database.transaction((trx) => trx.deleteFrom("users").where("id", "=", user.id).execute());
  await assert.rejects(sessions.refresh(refresh, somewhere), refusal("token_revoked"));
  await assert.rejects(sessions.verifyAccess(access), refusal("token_revoked"));
});

test("SESS-4: logging out blacklists the refresh token and ends its session's access tokens, on every instance", async (t) => {
  const fixture = await createAuthFixture(t);
  const other = await fixture.instance();
  const user = await fixture.signUp("owner");
  const { access, refresh } = await fixture.signIn(user.id);
  const { access: renewed } = await other.sessions.refresh(refresh, somewhere);
  await other.sessions.verifyAccess(access);
  await fixture.sessions.logout(actorOf(await fixture.sessions.verifyAccess(access)), refresh);
  for (const { sessions } of [fixture, other]) {
    await assert.rejects(sessions.refresh(refresh, somewhere), refusal("token_revoked"));
    await assert.rejects(sessions.verifyAccess(access), refusal("token_revoked"));
    await assert.rejects(sessions.verifyAccess(renewed), refusal("token_revoked"));
  }
});

test("SESS-4: ending one session does not affect the user's others", async (t) => {
  const { sessions, signUp, signIn } = await createAuthFixture(t);
  const user = await signUp("owner");
  const [here, there] = [await signIn(user.id), await signIn(user.id)];
  await sessions.logout(actorOf(await sessions.verifyAccess(here.access)), there.refresh);
  await sessions.verifyAccess(here.access);
  await sessions.refresh(here.refresh, somewhere);
  await assert.rejects(sessions.refresh(there.refresh, somewhere), refusal("token_revoked"));
});

test("SESS-4: another user's refresh token, or text that is no token, is refused and changes nothing", async (t) => {
  const { clock, sessions, signUp, signIn } = await createAuthFixture(t);
  const mine = await signIn((await signUp("owner")).id);
  const theirs = await signIn((await signUp("stranger")).id);
  const caller = await sessions.verifyAccess(mine.access);
  const errors = [{ path: "/refresh", message: "is not a refresh token of this user" }];
  for (const wrong of [theirs.refresh, theirs.access, mine.access, "nonsense", ""])
    await assert.rejects(sessions.logout(actorOf(caller), wrong), { code: "invalid_request", errors });
  await sessions.refresh(mine.refresh, somewhere);
  await sessions.refresh(theirs.refresh, somewhere);
  clock.advance(8 * day);
  await assert.rejects(sessions.logout(actorOf(caller), theirs.refresh), refusal("invalid_request"));
});

test("SESS-4: the caller's own refresh token is accepted even if expired or blacklisted", async (t) => {
  const { clock, database, sessions, signUp, signIn } = await createAuthFixture(t);
  const user = await signUp("owner");
  const old = await signIn(user.id);
  clock.advance(6 * day);
  const recent = await signIn(user.id);
  await sessions.logout(actorOf(await sessions.verifyAccess(recent.access)), recent.refresh);
  const { endedAt } = (await findSession(database.read, recent.sessionId)) ?? {};
  clock.advance(day);
  const caller = await sessions.verifyAccess((await signIn(user.id)).access);
  await sessions.logout(actorOf(caller), recent.refresh);
  assert.equal((await findSession(database.read, recent.sessionId))?.endedAt, endedAt);
  await sessions.logout(actorOf(caller), old.refresh);
});

test("SESS-8: rows are purged once both of the session's tokens have expired", async (t) => {
  const { clock, database, signUp, signIn } = await createAuthFixture(t);
  const user = await signUp("owner");
  const old = await signIn(user.id);
  clock.advance(7 * day + 3 * hour);
  await signIn(user.id);
  assert.ok(await findSession(database.read, old.sessionId));
  clock.advance(hour);
  await signIn(user.id);
  assert.equal(await findSession(database.read, old.sessionId), null);
});

test("SESS-8: a session without a row has ended", async (t) => {
  const { database, sessions, signUp, signIn } = await createAuthFixture(t);
  const { access, refresh } = await signIn((await signUp("owner")).id);
  await sessions.verifyAccess(access);
  await database.transaction((trx) => trx.deleteFrom("sessions").execute());
  await assert.rejects(sessions.verifyAccess(access), refusal("token_revoked"));
  await assert.rejects(sessions.refresh(refresh, somewhere), refusal("token_revoked"));
});

test("SESS-3: the tokens of an uncommitted session are refused", async (t) => {
  const { database, sessions, signUp } = await createAuthFixture(t);
  const user = await signUp("owner");
  const handedOut: string[] = [];
  await assert.rejects(
    database.transaction(async (trx) => {
      handedOut.push((await sessions.open(trx, user.id, null)).access);
      throw new Error("the rest of the sign-in failed");
    }),
  );
  const [access = ""] = handedOut;
  await assert.rejects(sessions.verifyAccess(access), refusal("token_revoked"));
});

test("TOK-12: a refresh from a new address or user agent is one line", async (t) => {
  const { database, sessions, clock, signUp, signIn } = await createAuthFixture(t);
  const { id: userId } = await signUp("owner");
  const { sessionId, refresh } = await signIn(userId);
  const line = { userId, at: clock(), event: "signed_in", sessionId, origin: somewhere } as const;
  await database.transaction((trx) => insertAudit(trx, [line]));
  const origins = [
    somewhere,
    { ...somewhere, address: "198.51.100.9" },
    { ...somewhere, userAgent: "curl/8" },
    { ...somewhere, address: "198.51.100.9" },
    somewhere,
    { address: null, userAgent: null },
  ];
  const newOrigins = [];
  for (const origin of origins) newOrigins.push((await sessions.refresh(refresh, origin)).isNewOrigin);
  assert.deepEqual(newOrigins, [false, true, true, false, false, true]);
  const lines = await listAudit(database.read, userId, { limit: 10 });
  assert.deepEqual(
    lines.map(({ event, sessionId: session, address, userAgent }) => [event, session, address, userAgent]),
    [
      ["session_refreshed", sessionId, null, null],
      ["session_refreshed", sessionId, "192.0.2.7", "curl/8"],
      ["session_refreshed", sessionId, "198.51.100.9", "A browser"],
      ["signed_in", sessionId, "192.0.2.7", "A browser"],
    ],
  );
});

test("TOK-12: a new user agent at each refresh does not fill the trail", async (t) => {
  const { database, sessions, signUp, signIn } = await createAuthFixture(t);
  const { id: userId } = await signUp("owner");
  const { refresh } = await signIn(userId);
  for (let turn = 0; turn < 110; turn += 1)
    await sessions.refresh(refresh, { ...somewhere, userAgent: `agent ${turn}` });
  assert.equal((await listAudit(database.read, userId, { limit: 200 })).length, 100);
});
