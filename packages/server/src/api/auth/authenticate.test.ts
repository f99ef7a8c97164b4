import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { minute } from "../../auth/testing/auth-fixture.ts";
import { somewhere } from "../../model/testing/actor.ts";
import { problem, setGate } from "./testing/gate-server.ts";

test("LIM-1: a service token has a quota per minute, LIM-2: and the responses state the remainder", async (t) => {
  const { call, clock, user, serviceToken } = await setGate(t, { quotas: { token: 3 } });
  const [one, other] = [await serviceToken(user.id), await serviceToken(user.id)];
  for (const left of [2, 1, 0]) {
    const answer = await call("/api/v1/nodes/", one.raw);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("ratelimit-policy"), '"token";q=3;w=60');
    assert.equal(answer.headers.get("ratelimit"), `"token";r=${left};t=60`);
    assert.equal(answer.headers.get("retry-after"), null);
  }
  clock.advance(20_500);
  const refused = await call("/api/v1/nodes/", one.raw);
  assert.equal(refused.headers.get("ratelimit"), '"token";r=0;t=40');
  assert.equal(refused.headers.get("ratelimit-policy"), '"token";q=3;w=60');
  assert.equal(refused.headers.get("retry-after"), "40");
  assert.equal(
    refused.headers.get("connection"),
    "close",
    "requests that follow on the connection cost nothing",
  );
  await problem(refused, 429, "rate_limited");
  assert.equal((await call("/api/v1/nodes/", other.raw)).status, 200, "another token has its own quota");
  clock.advance(39_500);
  assert.equal((await call("/api/v1/nodes/", one.raw)).status, 200);
});

test("LIM-1: a session has one quota per minute for all of its access tokens", async (t) => {
  const { call, clock, sessions, session, user, signIn } = await setGate(t, { quotas: { session: 4 } });
  const renewed = await sessions.refresh(session.refresh, somewhere);
  for (const token of [session.access, renewed.access, session.access, renewed.access]) {
    assert.equal((await call("/api/auth/validate/", token)).status, 200);
  }
  const refused = await call("/api/auth/validate/", renewed.access);
  assert.equal(refused.headers.get("ratelimit"), '"session";r=0;t=60');
  await problem(refused, 429, "rate_limited");
  const another = await signIn(user.id);
  assert.equal((await call("/api/auth/validate/", another.access)).status, 200);
  clock.advance(minute);
  assert.equal((await call("/api/auth/validate/", session.access)).status, 200);
});

test("LIM-1: failed authentication is counted by address and does not affect valid credentials", async (t) => {
  const { call, clock, user, session, serviceToken } = await setGate(t, { quotas: { failedAuth: 3 } });
  const { raw } = await serviceToken(user.id);
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const wrong = ["nonsense", `svc_${"a".repeat(32)}`, session.refresh];
  for (const token of wrong) {
    await problem(await call("/api/v1/nodes/", token, from("192.0.2.1")), 401, "token_invalid");
  }
  for (const token of wrong) {
    const answer = await call("/api/v1/nodes/", token, from("192.0.2.1"));
    assert.equal(answer.headers.get("retry-after"), "60");
    assert.equal(answer.headers.get("ratelimit"), '"failed-authentication";r=0;t=60');
    await problem(answer, 429, "rate_limited");
  }
  assert.equal((await call("/api/v1/nodes/", raw, from("192.0.2.1"))).status, 200);
  assert.equal((await call("/api/auth/me/", session.access, from("192.0.2.1"))).status, 200);
  await problem(await call("/api/v1/nodes/", null, from("192.0.2.1")), 401, "unauthenticated");
  await problem(await call("/api/v1/nodes/", "nonsense", from("192.0.2.2")), 401, "token_invalid");
  clock.advance(minute);
  await problem(await call("/api/v1/nodes/", "nonsense", from("192.0.2.1")), 401, "token_invalid");
});

test("LIM-1: sign-in routes are counted by address", async (t) => {
  const { call } = await setGate(t, { quotas: { signIn: 2 } });
  const from = (address: string) => call("/api/sign-in/", null, { headers: { "x-forwarded-for": address } });
  assert.equal((await from("2001:db8:1:2::1")).headers.get("ratelimit"), '"sign-in";r=1;t=60');
  assert.equal((await from("2001:db8:1:2:ffff::2")).status, 200);
  await problem(await from("2001:db8:1:2::3"), 429, "rate_limited");
  assert.equal((await from("2001:db8:1:3::1")).status, 200);
});

test("LIM-3: public routes are counted by address, health probes separately", async (t) => {
  const { call } = await setGate(t, { quotas: { open: 2 } });
  const ask = (path: string) => call(path);
  for (const path of ["/api/open/", "/api/status/"]) assert.equal((await ask(path)).status, 200);
  const refused = await ask("/api/open/");
  assert.equal(refused.headers.get("ratelimit"), '"open";r=0;t=60');
  await problem(refused, 429, "rate_limited");
  // A wrong method on a public path counts as well.
  await problem(await call("/api/open/", null, { method: "DELETE" }), 429, "rate_limited");
  for (let probe = 0; probe < 2; probe += 1) assert.equal((await ask("/healthz")).status, 200);
  await problem(await ask("/healthz"), 429, "rate_limited");
  assert.equal((await ask("/api/sign-in/")).status, 200);
});

test("LIM-1: a route that counts its requests itself is not counted twice", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t, { quotas: { token: 1, session: 1 } });
  const { raw } = await serviceToken(user.id);
  for (let turn = 0; turn < 3; turn += 1) assert.equal((await call("/api/v1/own-limit/", raw)).status, 200);
  assert.equal((await call("/api/v1/nodes/", raw)).status, 200);
  await problem(await call("/api/v1/nodes/", raw), 429, "rate_limited");
  assert.equal((await call("/api/auth/me/", session.access)).status, 200);
  await problem(await call("/api/auth/me/", session.access), 429, "rate_limited");
});

test("LIM-1: a client without a trusted proxy cannot choose its address", async (t) => {
  for (const trustProxy of ["off", "private", "192.0.2.0/24"]) {
    const { call } = await setGate(t, { quotas: { signIn: 2 }, trustProxy });
    const from = (address: string) =>
      call("/api/sign-in/", null, { headers: { "x-forwarded-for": address } });
    assert.equal((await from("192.0.2.1")).status, 200);
    assert.equal((await from("192.0.2.2")).status, 200);
    await problem(await from("192.0.2.3"), 429, "rate_limited");
  }
});

test("LIM-1: behind a trusted proxy its view of the address counts, not what the client sent", async (t) => {
  const { call } = await setGate(t, { quotas: { signIn: 2 } });
  const from = (chain: string) => call("/api/sign-in/", null, { headers: { "x-forwarded-for": chain } });
  assert.equal((await from("8.8.8.8, 198.51.100.1")).status, 200);
  assert.equal((await from("127.0.0.1, 9.9.9.9, 198.51.100.1, 127.0.0.1")).status, 200);
  await problem(await from("10.0.0.1, 198.51.100.1"), 429, "rate_limited");
  assert.equal((await from("198.51.100.2")).status, 200);
});

test("LIM-1: the networks of one /48 have four times the quota of one", async (t) => {
  const { call } = await setGate(t, { quotas: { signIn: 1 } });
  const from = (network: number) =>
    call("/api/sign-in/", null, { headers: { "x-forwarded-for": `2001:db8:1:${network}::1` } });
  for (const network of [1, 2, 3, 4]) assert.equal((await from(network)).status, 200);
  await problem(await from(5), 429, "rate_limited");
});

test("TOK-12: a forwarded value that is no address never reaches the audit trail", async (t) => {
  const { call, close, database, user, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const address of ["<b>not an address</b>", "2001:db8::7"])
    await call("/api/auth/me/", raw, { headers: { "x-forwarded-for": address } });
  await close();
  const lines = await database.read
    .selectFrom("audit")
    .select("address")
    .where("event", "=", "token_refused")
    .orderBy("id")
    .execute();
  assert.deepEqual(lines, [{ address: null }, { address: "2001:db8::7" }]);
});

test("TOK-12: of a user agent 512 characters are recorded, and of a request without one none", async (t) => {
  const logged: string[] = [];
  const { origin, close, database, user, serviceToken } = await setGate(t, { logged });
  const { raw } = await serviceToken(user.id);
  const longest = `${"a".repeat(511)}b`;
  for (const userAgent of [longest, `${longest}c`, null]) {
    const agent = userAgent === null ? {} : { "user-agent": userAgent };
    // Unlike fetch, it sends no user agent of its own.
    const sent = request(`${origin}/api/auth/me/`, { headers: { authorization: `Bearer ${raw}`, ...agent } });
    const [answer] = await once(sent.end(), "response");
    assert.equal(answer.statusCode, 403);
    await once(answer.resume(), "end");
  }
  await close();
  const expected = [longest, longest, null];
  const events = logged.map((line) => JSON.parse(line)).filter(({ event }) => event !== undefined);
  assert.deepEqual(
    events.map(({ event, user_agent }) => [event, user_agent]),
    expected.map((userAgent) => ["authorization_failed", userAgent]),
  );
  const lines = database.read.selectFrom("audit").select("user_agent").where("event", "=", "token_refused");
  assert.deepEqual(
    await lines.orderBy("id").execute(),
    expected.map((user_agent) => ({ user_agent })),
  );
});

test("LIM-1: 0 turns a limit off, and no RateLimit header is sent", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t, {
    quotas: { token: 0, session: 0, signIn: 0, failedAuth: 0, open: 0 },
  });
  const { raw } = await serviceToken(user.id);
  for (let turn = 0; turn < 5; turn += 1) {
    for (const answer of [
      await call("/api/v1/nodes/", raw),
      await call("/api/auth/validate/", session.access),
      await call("/api/sign-in/"),
      await call("/api/open/"),
      await call("/api/v1/nodes/", "nonsense"),
    ]) {
      assert.notEqual(answer.status, 429);
      assert.equal(answer.headers.get("ratelimit"), null);
      assert.equal(answer.headers.get("ratelimit-policy"), null);
    }
  }
});

test("LIM-2: a request beyond the limit is refused without a read of the store", async (t) => {
  const { call, database, user, session, serviceToken } = await setGate(t, {
    quotas: { token: 1, session: 1 },
  });
  const { raw } = await serviceToken(user.id);
  assert.equal((await call("/api/v1/nodes/", raw)).status, 200);
  assert.equal((await call("/api/auth/validate/", session.access)).status, 200);
  await database.close();
  for (const [path, token] of [
    ["/api/v1/nodes/", raw],
    ["/api/auth/validate/", session.access],
  ] as const) {
    const refused = await call(path, token);
    assert.equal(refused.headers.get("connection"), "close", "requests behind it cost nothing more");
    await problem(refused, 429, "rate_limited");
  }
});
