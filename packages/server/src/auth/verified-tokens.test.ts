import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../model/api-error.ts";
import { actorOf } from "./testing/actor.ts";
import { day, hour, setStage } from "./testing/stage.ts";
import { rememberVerified } from "./verified-tokens.ts";

const refusal = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

test("SESS-4: a remembered token is refused as soon as its session is over", async (t) => {
  const { sessions, signUp, signIn } = await setStage(t);
  const { access, refresh } = await signIn((await signUp("owner")).id);
  const caller = await sessions.verifyAccess(access);
  assert.deepEqual(await sessions.verifyAccess(access), caller);
  await sessions.logout(actorOf(caller), refresh);
  await assert.rejects(sessions.verifyAccess(access), refusal("token_revoked"));
});

test("SESS-1: a remembered token is refused once it has expired", async (t) => {
  const { clock, sessions, signUp, signIn } = await setStage(t);
  const { access } = await signIn((await signUp("owner")).id);
  await sessions.verifyAccess(access);
  clock.advance(4 * hour);
  await assert.rejects(sessions.verifyAccess(access), refusal("token_expired"));
});

test("SESS-2: a remembered token is remembered as what it is, and what is refused is not remembered", async () => {
  const claims = { userId: "u", sessionId: "s", issuedAt: 0, expiresAt: day };
  let asked = 0;
  let good = false;
  const tokens = rememberVerified({
    sign: async () => "",
    verify: async (kind) => {
      asked += 1;
      return good && kind === "access" ? claims : null;
    },
  });
  assert.equal(await tokens.verify("access", "token"), null);
  good = true;
  assert.deepEqual(await tokens.verify("access", "token"), claims);
  assert.deepEqual(await tokens.verify("access", "token"), claims);
  assert.equal(asked, 2);
  assert.equal(await tokens.verify("refresh", "token"), null);
  assert.equal(await tokens.verify("access", "token "), claims, "another token is asked about");
  assert.equal(asked, 4);
});

test("SESS-2: what is remembered is bounded, and what was used last stays", async () => {
  const asked: string[] = [];
  const tokens = rememberVerified({
    sign: async () => "",
    verify: async (_, raw) => {
      asked.push(raw);
      return { userId: "u", sessionId: raw, issuedAt: 0, expiresAt: day };
    },
  });
  await tokens.verify("access", "often");
  await tokens.verify("access", "once");
  for (let number = 0; number < 10_000; number += 1) {
    await tokens.verify("access", `other ${number}`);
    if (number % 5_000 === 0) await tokens.verify("access", "often");
  }
  asked.length = 0;
  await tokens.verify("access", "often");
  await tokens.verify("access", "once");
  assert.deepEqual(asked, ["once"]);
});
