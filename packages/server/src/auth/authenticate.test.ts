import assert from "node:assert/strict";
import { test } from "node:test";
import { problem, setGate } from "./testing/gate-server.ts";
import { minute } from "./testing/stage.ts";

test("LIM-1: a service token has so many requests a minute, LIM-2: and the answers say how many are left", async (t) => {
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
  await problem(refused, 429, "rate_limited");
  assert.equal((await call("/api/v1/nodes/", other.raw)).status, 200, "another token has its own");
  clock.advance(39_500);
  assert.equal((await call("/api/v1/nodes/", one.raw)).status, 200);
});

test("LIM-1: a session has so many requests a minute, whichever of its access tokens is used", async (t) => {
  const { call, clock, sessions, session, user, signIn } = await setGate(t, { quotas: { session: 4 } });
  const renewed = await sessions.refresh(session.refresh);
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

test("LIM-1: failed authentication is counted by address and refuses no valid credentials", async (t) => {
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

test("LIM-1: 0 turns a limit off, and no field is written", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t, {
    quotas: { token: 0, session: 0, signIn: 0, failedAuth: 0 },
  });
  const { raw } = await serviceToken(user.id);
  for (let turn = 0; turn < 5; turn += 1) {
    for (const answer of [
      await call("/api/v1/nodes/", raw),
      await call("/api/auth/validate/", session.access),
      await call("/api/sign-in/"),
      await call("/api/v1/nodes/", "nonsense"),
    ]) {
      assert.notEqual(answer.status, 429);
      assert.equal(answer.headers.get("ratelimit"), null);
      assert.equal(answer.headers.get("ratelimit-policy"), null);
    }
  }
});

test("LIM-2: a request too many is refused without asking the store", async (t) => {
  const { call, database, user, session, serviceToken } = await setGate(t, {
    quotas: { token: 1, session: 1 },
  });
  const { raw } = await serviceToken(user.id);
  assert.equal((await call("/api/v1/nodes/", raw)).status, 200);
  assert.equal((await call("/api/auth/validate/", session.access)).status, 200);
  await database.close();
  await problem(await call("/api/v1/nodes/", raw), 429, "rate_limited");
  await problem(await call("/api/auth/validate/", session.access), 429, "rate_limited");
});
