import assert from "node:assert/strict";
import { test } from "node:test";
import { AccessToken, Connection, Me, type Named, Validation } from "@clew/contract";
import { Value } from "typebox/value";
import { day, hour } from "../../auth/testing/auth-fixture.ts";
import { takeApart } from "../../auth/testing/forge.ts";
import { actorOf } from "../../model/testing/actor.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { upsertUser } from "../../store/queries/users.ts";
import { setGate } from "./testing/gate-server.ts";

const code = async (answer: Response) => {
  const body: unknown = await answer.json();
  return typeof body === "object" && body !== null && "code" in body ? body.code : null;
};

/** The body of a response, which must be exactly this message. */
async function message(answer: Response, schema: Named): Promise<Record<string, unknown>> {
  const body: unknown = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(body));
  assert.ok(Value.Check({ Connection }, schema, body), JSON.stringify(body));
  assert.ok(typeof body === "object" && body !== null);
  return { ...body };
}

test("SESS-3: POST refresh answers 200 with an access token and no-store, and can be repeated", async (t) => {
  const { call, post, clock, user, session } = await setGate(t);
  const seen = new Set<unknown>();
  for (let turn = 0; turn < 3; turn += 1) {
    clock.advance(day);
    const answer = await post("/api/auth/refresh/", { refresh: session.refresh });
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const { access, ...rest } = await message(answer, AccessToken);
    assert.deepEqual(rest, {});
    assert.equal((await call("/api/auth/validate/", String(access))).status, 200);
    assert.equal(takeApart(String(access)).payload.sub, user.id);
    seen.add(access);
  }
  assert.equal(seen.size, 3);
});

test("SESS-3: a field that is missing, empty or not a string is 400", async (t) => {
  const { post, session } = await setGate(t);
  for (const body of [
    {},
    { refresh: "" },
    { refresh: null },
    { refresh: 5 },
    { refresh: [session.refresh] },
  ]) {
    const answer = await post("/api/auth/refresh/", body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    const problem: unknown = await answer.json();
    assert.ok(typeof problem === "object" && problem !== null && "code" in problem && "errors" in problem);
    assert.equal(problem.code, "invalid_request");
    assert.ok(Array.isArray(problem.errors));
    assert.deepEqual(
      problem.errors.map(({ path }) => path),
      ["/refresh"],
    );
  }
  const extra = await post("/api/auth/refresh/", { refresh: session.refresh, more: 1 });
  assert.equal(extra.status, 400);
  for (const body of [[], "text", null]) assert.equal((await post("/api/auth/refresh/", body)).status, 400);
});

test("SESS-3: a token that is not valid, expired, blacklisted, or whose user is gone is 401", async (t) => {
  const { call, post, clock, database, signUp, signIn, user, session } = await setGate(t);
  const refresh = (token: string) => post("/api/auth/refresh/", { refresh: token });
  const expect = async (token: string, expected: string) => {
    const answer = await refresh(token);
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer .*error="invalid_token"/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(await code(answer), expected);
  };
  for (const token of ["x", session.access, ` ${session.refresh}`, `${session.refresh}=`]) {
    await expect(token, "token_invalid");
  }
  const ended = await signIn(user.id);
  const logout = await post("/api/auth/logout/", { refresh: ended.refresh }, session.access);
  assert.equal(logout.status, 204);
  await expect(ended.refresh, "token_revoked");
  const other = await signUp("stranger");
  const gone = await signIn(other.id);
  await database.transaction((trx) => trx.deleteFrom("users").where("id", "=", other.id).execute());
  await expect(gone.refresh, "token_revoked");
  clock.advance(7 * day);
  await expect(session.refresh, "token_expired");
  assert.equal((await call("/api/auth/refresh/")).status, 405);
});

test("SESS-3: refresh needs no access token and ignores one", async (t) => {
  const { post, session } = await setGate(t);
  for (const bearer of [null, "nonsense", session.access, "svc_x"]) {
    assert.equal((await post("/api/auth/refresh/", { refresh: session.refresh }, bearer)).status, 200);
  }
});

test("LIM-1: refreshes with a valid token are limited by session, all others by address", async (t) => {
  const { post, session, signIn, user } = await setGate(t, { quotas: { signIn: 2 } });
  const [one, other] = [session, await signIn(user.id)];
  const refresh = (body: unknown) => post("/api/auth/refresh/", body);
  assert.equal((await refresh({})).headers.get("ratelimit"), '"sign-in";r=1;t=60');
  assert.equal((await refresh({ refresh: "nonsense" })).status, 401);
  assert.equal((await refresh({ refresh: "nonsense" })).status, 429);
  assert.equal((await refresh({})).status, 429);
  const served = await refresh({ refresh: one.refresh });
  assert.deepEqual([served.status, served.headers.get("ratelimit")], [200, '"refresh";r=1;t=60']);
  assert.equal((await refresh({ refresh: one.refresh })).status, 200);
  const refused = await refresh({ refresh: one.refresh });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "60"]);
  assert.equal((await refresh({ refresh: other.refresh })).status, 200);
});

test("LIM-1: a refresh with the token of an ended session is limited by address", async (t) => {
  const { post, sessions, session, signIn, user } = await setGate(t, { quotas: { signIn: 1 } });
  const ended = [await signIn(user.id), await signIn(user.id)];
  const actor = actorOf(await sessions.verifyAccess(session.access));
  for (const { refresh } of ended) await sessions.logout(actor, refresh);
  const answers = [];
  for (const { refresh } of ended) answers.push((await post("/api/auth/refresh/", { refresh })).status);
  assert.deepEqual(answers, [401, 429]);
  assert.equal((await post("/api/auth/refresh/", { refresh: session.refresh })).status, 200);
});

test("SESS-4: POST logout answers 204 without a body and ends the session at once", async (t) => {
  const { call, post, session } = await setGate(t);
  const answer = await post("/api/auth/logout/", { refresh: session.refresh }, session.access);
  assert.equal(answer.status, 204);
  assert.equal(await answer.text(), "");
  assert.equal(await code(await call("/api/auth/me/", session.access)), "token_revoked");
  assert.equal((await post("/api/auth/refresh/", { refresh: session.refresh })).status, 401);
  const again = await post("/api/auth/logout/", { refresh: session.refresh }, session.access);
  assert.equal(again.status, 401);
});

test("SESS-4: another user's refresh token, or a value that is no token, is 400 and changes nothing", async (t) => {
  const { post, signUp, signIn, session } = await setGate(t);
  const theirs = await signIn((await signUp("stranger")).id);
  for (const body of [
    {},
    { refresh: "" },
    { refresh: "x" },
    { refresh: session.access },
    { refresh: theirs.refresh },
  ]) {
    const answer = await post("/api/auth/logout/", body, session.access);
    assert.equal(answer.status, 400);
    assert.equal(await code(answer), "invalid_request");
  }
  for (const { refresh } of [session, theirs]) {
    assert.equal((await post("/api/auth/refresh/", { refresh })).status, 200);
  }
});

test("SESS-4: the caller's own refresh token is 204 even if expired or blacklisted", async (t) => {
  const { post, clock, signIn, user, session } = await setGate(t);
  const ended = await signIn(user.id);
  for (let turn = 0; turn < 2; turn += 1) {
    assert.equal((await post("/api/auth/logout/", { refresh: ended.refresh }, session.access)).status, 204);
  }
  clock.advance(7 * day);
  const fresh = await signIn(user.id);
  assert.equal((await post("/api/auth/logout/", { refresh: session.refresh }, fresh.access)).status, 204);
});

test("SESS-4: logout needs an access token", async (t) => {
  const { post, session } = await setGate(t);
  for (const [bearer, expected] of [
    [null, "unauthenticated"],
    [session.refresh, "token_invalid"],
  ] as const) {
    const answer = await post("/api/auth/logout/", { refresh: session.refresh }, bearer);
    assert.equal(answer.status, 401);
    assert.equal(await code(answer), expected);
  }
  assert.equal((await post("/api/auth/refresh/", { refresh: session.refresh })).status, 200);
});

test("SESS-5: GET validate returns the token's user and expiry", async (t) => {
  const { call, clock, user, session } = await setGate(t);
  const body = await message(await call("/api/auth/validate/", session.access), Validation);
  const { payload } = takeApart(session.access);
  const at = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString();
  assert.deepEqual(body, {
    valid: true,
    token_type: "access",
    user_id: user.id,
    session_id: session.sessionId,
    issued_at: at(payload.iat),
    expires_at: at(payload.exp),
  });
  assert.equal(body.user_id, payload.sub);
  assert.equal(body.session_id, payload.sid);
  clock.advance(4 * hour);
  const expired = await call("/api/auth/validate/", session.access);
  assert.equal(expired.status, 401);
  assert.equal(await code(expired), "token_expired");
});

test("SESS-6: GET me shows the user and their connected workspaces", async (t) => {
  const { call, clock, database, session } = await setGate(t);
  const at = new Date(clock()).toISOString();
  const blank = await message(await call("/api/auth/me/", session.access), Me);
  const { id, ...rest } = blank;
  assert.deepEqual(rest, {
    provider: "notion",
    name: "owner",
    email: null,
    avatar_url: null,
    created_at: at,
    last_sign_in_at: at,
    workspaces: [],
  });

  clock.advance(hour);
  const sealed = new Uint8Array(40);
  await database.transaction(async (trx) => {
    const person = { newId: "unused", provider: "notion", providerUserId: "person-owner" };
    const seen = {
      name: "The owner",
      email: "owner@example.com",
      avatarUrl: "https://images.example/owner.png",
    };
    await upsertUser(trx, { ...person, ...seen }, clock());
    for (const [workspaceId, name, icon] of [
      ["11111111-1111-4111-8111-111111111111", "Library", "📚"],
      ["22222222-2222-4222-8222-222222222222", null, "javascript:alert(1)"],
    ] as const) {
      const grant = { provider: "notion", grantId: "grant", accessToken: sealed, refreshToken: null };
      await upsertConnection(trx, { userId: String(id), workspaceId, name, icon, ...grant }, clock());
    }
  });
  const now = new Date(clock()).toISOString();
  assert.deepEqual(await message(await call("/api/auth/me/", session.access), Me), {
    id,
    provider: "notion",
    name: "The owner",
    email: "owner@example.com",
    avatar_url: "https://images.example/owner.png",
    created_at: at,
    last_sign_in_at: now,
    workspaces: [
      {
        id: "11111111-1111-4111-8111-111111111111",
        provider: "notion",
        name: "Library",
        icon: "📚",
        status: "active",
        last_synced_at: null,
      },
      {
        id: "22222222-2222-4222-8222-222222222222",
        provider: "notion",
        name: null,
        icon: null,
        status: "active",
        last_synced_at: null,
      },
    ],
  });
});

test("SESS-6: name, e-mail and avatar may be null", async (t) => {
  const { call, clock, database, signIn } = await setGate(t);
  const noDetails = { name: null, email: null, avatarUrl: null };
  const { id } = await database.transaction((trx) =>
    upsertUser(trx, { newId: "quiet", provider: "notion", providerUserId: "quiet", ...noDetails }, clock()),
  );
  const body = await message(await call("/api/auth/me/", (await signIn(id)).access), Me);
  assert.deepEqual([body.name, body.email, body.avatar_url], [null, null, null]);
});

test("ERR-5: paths answer with and without their trailing slash", async (t) => {
  const { call, post, session } = await setGate(t);
  for (const path of ["/api/auth/me", "/api/auth/validate", "/api/auth/me/", "/api/auth/validate/"]) {
    assert.equal((await call(path, session.access, { redirect: "error" })).status, 200);
  }
  assert.equal((await post("/api/auth/refresh", { refresh: session.refresh })).status, 200);
});

test("ERR-2: an unknown query parameter is 400 after authentication", async (t) => {
  const { call, post, session } = await setGate(t);
  for (const path of ["/api/auth/me/?x=1", "/api/auth/validate/?token=x"]) {
    assert.equal(await code(await call(path, session.access)), "invalid_request");
    assert.equal(await code(await call(path)), "unauthenticated");
  }
  const { refresh } = session;
  assert.equal(await code(await post("/api/auth/refresh/?refresh=x", { refresh })), "invalid_request");
  assert.equal(await code(await post("/api/auth/logout/?x", { refresh }, session.access)), "invalid_request");
  assert.equal((await call("/api/auth/me/", session.access)).status, 200);
});
