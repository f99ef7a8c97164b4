import assert from "node:assert/strict";
import type { Server } from "node:http";
import { type TestContext, test } from "node:test";
import { countLookups, problem, serveGate } from "../api/auth/testing/gate-server.ts";
import { optionalSession } from "../auth/gate.ts";
import { createAuthFixture } from "../auth/testing/auth-fixture.ts";
import { storedSyncs } from "../connections/request-sync.ts";
import { actorOf } from "../model/testing/actor.ts";
import { setMark } from "../store/queries/moving.ts";
import { setTokenRevoked } from "../store/queries/service-tokens.ts";
import { Buckets } from "./buckets.ts";
import { Front } from "./front.ts";

/** A server behind the choice of a bucket: the home bucket is open, and others are away. */
async function setFront(t: TestContext, { count }: { readonly count: number }) {
  const fixture = await createAuthFixture(t);
  const { clock, database, sessions } = fixture;
  const { instance, taken } = await countLookups(fixture);
  let meanwhile: () => Promise<unknown> = async () => {};
  let listening: Server | undefined;
  const server = await serveGate(fixture, {
    instance,
    routes: (app) => {
      listening = app.server;
      app.post(
        "/api/v1/body/",
        { config: { access: { kind: "service-token", scopes: [] } } },
        async () => "ok",
      );
      app.get("/api/twice/", { config: { access: { kind: "open" } } }, async (request) => {
        const first = await optionalSession(request, instance.sessions);
        await meanwhile();
        return [first, await optionalSession(request, instance.sessions)].map((each) => each !== null);
      });
    },
  });
  const options = { fingerprint: Uint8Array.of(1), monotonic: clock, observeCache: () => {} };
  const buckets = new Buckets({ count, ...options });
  const sync = storedSyncs({ database, clock });
  buckets.add({ ...instance, number: 1, sync, owns: buckets.ownerOf(1) });
  assert.ok(listening !== undefined);
  new Front(buckets).takeOver(listening);
  const user = await fixture.signUp("owner");
  const session = await fixture.signIn(user.id);
  return {
    ...{ ...fixture, ...server, taken, user, session },
    token: await fixture.serviceToken(user.id),
    logout: async () =>
      sessions.logout(actorOf(await sessions.verifyAccess(session.access)), session.refresh),
    doMeanwhile: (work: () => Promise<unknown>) => {
      meanwhile = work;
    },
  };
}

const unknownToken = `svc_${"a".repeat(32)}`;

test("OPS-13: what the choice of a bucket has found of a caller is not looked up again", async (t) => {
  const { call, post, token, session, taken, logout } = await setFront(t, { count: 1 });
  const lookups = async (answer: Promise<Response>, status: number) => {
    taken();
    assert.equal((await answer).status, status);
    return taken();
  };
  assert.equal(await lookups(call("/api/v1/nodes/", token.raw), 200), 1);
  assert.equal(await lookups(call("/api/v1/nodes/", unknownToken), 401), 1);
  assert.equal(await lookups(call("/api/auth/validate/", session.access), 200), 1);
  assert.equal(await lookups(call("/api/status/", session.access), 200), 1);
  assert.equal(await lookups(call("/api/open/"), 200), 0);
  assert.equal(await lookups(post("/api/v1/body/", {}, token.raw), 200), 2, "the body may have arrived late");
  await logout();
  assert.equal(await lookups(call("/api/auth/validate/", session.access), 401), 1);
});

test("OPS-13: the gate judges what was found as what it looks up itself", async (t) => {
  const { call, clock, database, user, token, session, logout } = await setFront(t, { count: 1 });
  const caller = async (path: string, bearer: string): Promise<unknown> => (await call(path, bearer)).json();
  const seen = Object(await caller("/api/v1/nodes/", token.raw));
  assert.deepEqual([seen.kind, seen.userId, seen.tokenId], ["service-token", user.id, token.id]);
  assert.deepEqual(await caller("/api/status/", session.access), { user: user.id });
  await database.transaction((trx) => setTokenRevoked(trx, token.id, clock()));
  await problem(await call("/api/v1/nodes/", token.raw), 401, "token_revoked");
  await problem(await call("/api/v1/nodes/", unknownToken), 401, "token_invalid");
  await problem(await call("/api/v1/nodes/", session.access), 403, "wrong_token_type");
  await logout();
  await problem(await call("/api/auth/validate/", session.access), 401, "token_revoked");
  assert.deepEqual(await caller("/api/status/", session.access), { user: null });
});

test("TOK-11: what was found is used once: a later look at the caller is as of then", async (t) => {
  const { call, session, logout, doMeanwhile } = await setFront(t, { count: 1 });
  const seen = async (): Promise<unknown> => (await call("/api/twice/", session.access)).json();
  assert.deepEqual(await seen(), [true, true]);
  doMeanwhile(logout);
  assert.deepEqual(await seen(), [true, false]);
});

test("OPS-13: a caller who may be in a bucket that is away, or is being moved, is asked to come again", async (t) => {
  const { call, database, user, token, session } = await setFront(t, { count: 2 });
  const expectLater = async (path: string, bearer: string) => {
    const answer = await call(path, bearer);
    assert.equal(answer.headers.get("retry-after"), "5");
    await problem(answer, 503, "unavailable");
  };
  assert.equal((await call("/api/v1/nodes/", token.raw)).status, 200);
  await expectLater("/api/v1/nodes/", unknownToken);
  await database.transaction((trx) => setMark(trx, user.id, { from: null, to: 2 }));
  await expectLater("/api/v1/nodes/", token.raw);
  await expectLater("/api/auth/validate/", session.access);
  await expectLater("/api/status/", session.access);
  assert.equal((await call("/api/open/", token.raw)).status, 200);
});
