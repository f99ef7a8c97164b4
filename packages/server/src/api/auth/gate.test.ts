import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { type Scope, scopeNames } from "@clew/contract";
import { tokenLimitKey } from "../../auth/authenticate.ts";
import { type Access, requireServiceToken, requireSession } from "../../auth/gate.ts";
import { day, hour, minute } from "../../auth/testing/auth-fixture.ts";
import { forge, openKeys } from "../../auth/testing/forge.ts";
import { actorOf } from "../../model/testing/actor.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { setTokenRevoked } from "../../store/queries/service-tokens.ts";
import { problem, serveGate, setGate } from "./testing/gate-server.ts";

const invalidToken = /^Bearer realm="clew", error="invalid_token", error_description="[^"\\]+"$/;

test("ERR-3: an invalid, an expired and a revoked token each say so, with invalid_token in the challenge", async (t) => {
  const { call, clock, database, sessions, fixture, user, session, signIn, serviceToken } = await setGate(t);
  const [key] = await openKeys(fixture);
  assert.ok(key);
  const short = await serviceToken(user.id, { expiresAt: clock() + hour });
  const revoked = await serviceToken(user.id);
  const ended = await signIn(user.id);
  await sessions.logout(actorOf(await sessions.verifyAccess(ended.access)), ended.refresh);
  await database.transaction((trx) => setTokenRevoked(trx, revoked.id, clock()));

  const expect = async (path: string, token: string, code: string) => {
    assert.match((await problem(await call(path, token), 401, code)) ?? "", invalidToken);
  };
  const unsigned = forge({ alg: "none", typ: "at+jwt", kid: key.kid }, { sub: user.id }, key.secret);
  await expect("/api/auth/me/", unsigned, "token_invalid");
  await expect("/api/auth/me/", session.refresh, "token_invalid");
  await expect("/api/auth/me/", ended.access, "token_revoked");
  await expect("/api/v1/nodes/", `svc_${"a".repeat(32)}`, "token_invalid");
  await expect("/api/v1/nodes/", revoked.raw, "token_revoked");
  clock.advance(4 * hour);
  await expect("/api/auth/me/", session.access, "token_expired");
  await expect("/api/v1/nodes/", short.raw, "token_expired");
});

test("TOK-8: a revocation applies to the next request on every instance", async (t) => {
  const { call, clock, database, fixture, user, serviceToken } = await setGate(t);
  const other = await serveGate(fixture, { instance: await fixture.instance() });
  const { raw, id } = await serviceToken(user.id);
  assert.equal((await call("/api/v1/nodes/", raw)).status, 200);
  assert.equal((await other.call("/api/v1/nodes/", raw)).status, 200);
  await database.transaction((trx) => setTokenRevoked(trx, id, clock()));
  await problem(await call("/api/v1/nodes/", raw), 401, "token_revoked");
  await problem(await other.call("/api/v1/nodes/", raw), 401, "token_revoked");
});

test("TOK-8: a response that takes long can ask for its caller as of now", async (t) => {
  const { clock, database, fixture, user, session, serviceToken } = await setGate(t);
  const { raw, id } = await serviceToken(user.id);
  let meanwhile: () => Promise<unknown> = async () => {};
  const { call } = await serveGate(fixture, { meanwhile: () => meanwhile() });
  const answer = await call("/api/v1/long/", raw);
  const caller: unknown = await answer.json();
  assert.ok(typeof caller === "object" && caller !== null && "tokenId" in caller);
  assert.deepEqual([answer.status, caller.tokenId], [200, id]);
  meanwhile = () => database.transaction((trx) => setTokenRevoked(trx, id, clock()));
  await problem(await call("/api/v1/long/", raw), 401, "token_revoked");
  // On an open route there may be none.
  await problem(await call("/api/open-confirmed/"), 401, "unauthenticated");
  await problem(await call("/api/open-confirmed/", "svc_"), 401, "token_invalid");
  assert.equal((await call("/api/open-confirmed/", session.access)).status, 200);
});

test("SIGN-7: a route about one source sees only the caller's connections to it, also as of now", async (t) => {
  const { call, clock, database, user, serviceToken } = await setGate(t);
  const sources = {
    notion: "11111111-1111-4111-8111-111111111111",
    some: "22222222-2222-4222-8222-222222222222",
  };
  const grant = {
    name: null,
    icon: null,
    grantId: "grant",
    accessToken: Uint8Array.of(1),
    refreshToken: null,
  };
  await database.transaction(async (trx) => {
    for (const [provider, workspaceId] of Object.entries(sources))
      await upsertConnection(trx, { userId: user.id, workspaceId, provider, ...grant }, clock());
  });
  const { raw } = await serviceToken(user.id, { workspaceIds: Object.values(sources) });
  const seen = async (path: string): Promise<unknown> => (await call(path, raw)).json();
  const both = ["notion", "some"];
  assert.deepEqual(await seen("/api/v1/sources/"), { first: both, now: both });
  assert.deepEqual(await seen("/api/v1/notion/sources/"), { first: ["notion"], now: ["notion"] });
});

test("OPS-4: an instance that a newer Clew has taken over refuses everyone, and its probes answer", async (t) => {
  const { fixture, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  const instance = await fixture.instance();
  const database = { ...instance.database, schemaFault: () => "A newer Clew has migrated the database." };
  const { call } = await serveGate(fixture, { instance: { ...instance, database } });
  for (const [path, bearer] of [
    ["/api/v1/nodes/", raw],
    ["/api/auth/me/", session.access],
    ["/api/open/", null],
  ] as const) {
    const answer = await call(path, bearer);
    assert.equal(answer.headers.get("retry-after"), "5");
    await problem(answer, 503, "unavailable");
  }
  assert.equal((await call("/healthz")).status, 200);
});

test("TOK-11: a service token is accepted only by V1, a session by everything but V1", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const path of ["/api/v1/", "/api/v1/search/", "/api/v1/nodes/", "/api/v1/paths/"]) {
    assert.equal((await call(path, raw)).status, 200);
    await problem(await call(path, session.access), 403, "wrong_token_type");
  }
  for (const path of ["/api/provider-graph/search/", "/api/auth/me/", "/api/auth/validate/"]) {
    assert.equal((await call(path, session.access)).status, 200);
    await problem(await call(path, raw), 403, "wrong_token_type");
  }
  const logout = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  await problem(await call("/api/auth/logout/", raw, logout), 403, "wrong_token_type");
});

test("TOK-11: public routes ignore credentials", async (t) => {
  const { call, clock, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const token of [null, raw, session.access, "nonsense", "svc_x"]) {
    const answer = await call("/api/open/", token);
    assert.deepEqual(await answer.json(), { kind: "anonymous" });
  }
  const status = async (token: string | null) => (await call("/api/status/", token)).json();
  assert.deepEqual(await status(session.access), { user: user.id });
  for (const token of [null, raw, session.refresh, "nonsense"]) {
    assert.deepEqual(await status(token), { user: null });
  }
  clock.advance(4 * hour);
  assert.deepEqual(await status(session.access), { user: null });
});

test("GRAPH-10: each scope permits only its own operation, and the refusal names the missing scope", async (t) => {
  const { call, user, serviceToken } = await setGate(t);
  const paths: Record<Scope, string> = {
    "graph:search": "/api/v1/search/",
    "graph:read": "/api/v1/nodes/",
    "graph:neighbors": "/api/v1/paths/",
  };
  for (const held of scopeNames) {
    const { raw } = await serviceToken(user.id, { scopes: [held] });
    assert.equal((await call("/api/v1/", raw)).status, 200, "any scope opens the overview");
    for (const needed of scopeNames) {
      const answer = await call(paths[needed], raw);
      if (needed === held) assert.equal(answer.status, 200);
      else {
        assert.ok((await answer.clone().text()).includes(needed));
        const challenge = await problem(answer, 403, "insufficient_scope");
        assert.equal(challenge, `Bearer realm="clew", error="insufficient_scope", scope="${needed}"`);
      }
    }
  }
});

test("GRAPH-10: a route that declares no access refuses every caller", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const token of [null, raw, session.access]) {
    await problem(await call("/api/forgotten/", token), 404, "not_found");
  }
});

test("GRAPH-10: a handler that needs another caller than its route admits refuses every request", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t, {
    routes: (app) => {
      const [open, ofSessions] = [{ kind: "open" }, { kind: "session" }] as const;
      const ofTokens = { kind: "service-token", scopes: [] } as const;
      app.get("/api/no-session/", { config: { access: open } }, async (request) => requireSession(request));
      app.get("/api/v1/no-session/", { config: { access: ofTokens } }, async (request) =>
        requireSession(request),
      );
      app.get("/api/no-token/", { config: { access: ofSessions } }, async (request) =>
        requireServiceToken(request),
      );
      app.get("/api/no-key/", { config: { access: ofSessions } }, async (request) => tokenLimitKey(request));
    },
  });
  const { raw } = await serviceToken(user.id);
  for (const [path, bearer] of [
    ["/api/no-session/", null],
    ["/api/v1/no-session/", raw],
    ["/api/no-token/", session.access],
    ["/api/no-key/", session.access],
  ] as const)
    await problem(await call(path, bearer), 500, "internal");
});

test("TOK-11: a service token may not send a parameter that sessions alone have, whatever its value", async (t) => {
  const { call, user, serviceToken } = await setGate(t, {
    routes: (app) => {
      const access: Access = {
        kind: "service-token",
        scopes: ["graph:search"],
        parameterScopes: { is: ["graph:read"] },
        sessionParameters: ["why", "explain"],
      };
      app.get("/api/v1/explained/", { config: { access } }, async () => "ok");
    },
  });
  const { raw } = await serviceToken(user.id, { scopes: ["graph:search"] });
  for (const query of ["?explain=true", "?explain=false", "?explain", "?q=a&explain=1&explain=2"]) {
    const answer = await call(`/api/v1/explained/${query}`, raw);
    const { detail } = Object(await answer.clone().json());
    assert.equal(detail, "The parameter explain needs a session, at /api/provider-graph.", query);
    assert.equal(await problem(answer, 403, "wrong_token_type"), 'Bearer realm="clew"');
  }
  await problem(await call("/api/v1/explained/?is=stale", raw), 403, "insufficient_scope");
  for (const query of ["", "?q=explain", "?Explain=true", "?is=false"])
    assert.equal((await call(`/api/v1/explained/${query}`, raw)).status, 200, query);
});

test("ERR-2: an unknown path is 404 before authentication", async (t) => {
  const { call, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const path of ["/api/v1/nothing/", "/api/nothing/", "/nothing", "/api/v1/search/more/"]) {
    for (const token of [null, raw, session.access, "nonsense"]) {
      assert.equal(await problem(await call(path, token), 404, "not_found"), null);
    }
  }
});

test("GRAPH-13: V1 accepts GET, HEAD and OPTIONS; other methods are 405 with Allow for every caller", async (t) => {
  const { call, user, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "QUERY"]) {
    for (const token of [null, raw]) {
      const answer = await call("/api/v1/nodes/", token, { method });
      assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS");
      await problem(answer, 405, "method_not_allowed");
    }
  }
  assert.equal((await call("/api/v1/nodes/", raw, { method: "HEAD" })).status, 200);
  assert.equal((await call("/api/v1/nodes/", null, { method: "HEAD" })).status, 401);
  assert.equal((await call("/api/v1/nodes/", null, { method: "OPTIONS" })).status, 204);
});

test("TOK-11: a token of a deleted user is refused", async (t) => {
  const { call, database, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  await database.transaction((trx) => trx.deleteFrom("users").where("id", "=", user.id).execute());
  await problem(await call("/api/v1/nodes/", raw), 401, "token_invalid");
  await problem(await call("/api/auth/me/", session.access), 401, "token_revoked");
});

test("ERR-4: if the store fails, every caller is refused", async (t) => {
  const { call, database, user, session, serviceToken } = await setGate(t);
  const { raw } = await serviceToken(user.id);
  await database.transaction(async (trx) => {
    for (const table of ["service_tokens", "sessions", "users"])
      await trx.schema.alterTable(table).renameTo(`lost_${table}`).execute();
  });
  await problem(await call("/api/v1/nodes/", raw), 500, "internal");
  await problem(await call("/api/auth/validate/", session.access), 500, "internal");
  // An open route that asks who is signed in does not take them for a stranger.
  await problem(await call("/api/status/", session.access), 500, "internal");
});

test("SESS-7: a forged kid is refused however often it is sent", async (t) => {
  const { call, session } = await setGate(t);
  for (let turn = 0; turn < 5; turn += 1) {
    const kid = randomBytes(16).toString("base64url");
    const token = forge({ alg: "HS256", typ: "at+jwt", kid }, {}, randomBytes(32));
    await problem(await call("/api/auth/me/", token), 401, "token_invalid");
  }
  assert.equal((await call("/api/auth/me/", session.access)).status, 200);
});

test("TOK-10: a token's last use is stored on flush, and closing flushes", async (t) => {
  const { call, close, clock, fixture, tokenUse, user, serviceToken } = await setGate(t);
  const watcher = await fixture.instance();
  const lastUsedAt = (id: number) =>
    watcher.database.read
      .selectFrom("service_tokens")
      .select("last_used_at")
      .where("id", "=", id)
      .executeTakeFirstOrThrow()
      .then((row) => row.last_used_at);
  const [used, unused] = [await serviceToken(user.id), await serviceToken(user.id)];
  await call("/api/v1/nodes/", used.raw);
  assert.equal(await lastUsedAt(used.id), null, "no write per request");
  clock.advance(day);
  await call("/api/v1/nodes/", used.raw);
  await tokenUse.flush();
  assert.equal(await lastUsedAt(used.id), clock());
  assert.equal(await lastUsedAt(unused.id), null);
  clock.advance(minute);
  await call("/api/v1/nodes/", used.raw);
  await close();
  assert.equal(await lastUsedAt(used.id), clock());
});

test("OPS-2: the line of a request names its user and service token, also if they were refused, and nobody else", async (t) => {
  const { fixture, user, session, serviceToken } = await setGate(t);
  const { raw, id } = await serviceToken(user.id, { scopes: ["graph:search"] });
  const logged: string[] = [];
  const server = await serveGate(fixture, { logged });
  t.after(() => server.close());
  const calls: [path: string, bearer: string | null, status: number][] = [
    ["/api/v1/search/", raw, 200],
    ["/api/v1/nodes/", raw, 403],
    ["/api/auth/me/", session.access, 200],
    ["/api/v1/search/", session.access, 403],
    ["/api/v1/search/", `svc_${"a".repeat(32)}`, 401],
    ["/api/v1/search/", null, 401],
    ["/api/open/", raw, 200],
    ["/api/forgotten/", raw, 404],
    ["/nothing", raw, 404],
  ];
  for (const [path, bearer] of calls) await (await server.call(path, bearer)).arrayBuffer();
  const { refresh } = session;
  await server.post("/api/auth/refresh/", { refresh });
  const statuses = [...calls.map(([, , status]) => status), 200];
  // The line follows the response.
  await server.close();
  const isRequest = ({ msg }: { msg: string }) => msg === "request completed";
  const lines = logged.map((line) => JSON.parse(line)).filter(isRequest);
  const byToken = { user: user.id, token: id };
  const bySession = { user: user.id, token: undefined };
  const unknown = { user: undefined, token: undefined };
  assert.deepEqual(
    lines.map(({ user_id, token_id }) => ({ user: user_id, token: token_id })),
    [byToken, byToken, bySession, bySession, ...Array(6).fill(unknown)],
  );
  assert.deepEqual(
    lines.map(({ status }) => status),
    statuses,
  );
});
