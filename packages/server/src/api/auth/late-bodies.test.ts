import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Access, limitToSource } from "../../auth/gate.ts";
import { createAuthFixture } from "../../auth/testing/auth-fixture.ts";
import type { App } from "../../http/server.ts";
import type { Caller } from "../../model/caller.ts";
import { actorOf } from "../../model/testing/actor.ts";
import { setMark } from "../../store/queries/moving.ts";
import { setTokenRevoked } from "../../store/queries/service-tokens.ts";
import { countLookups, problem, serveGate } from "./testing/gate-server.ts";

const json = { "content-type": "application/json" };

const bodyRoutes: Readonly<Record<string, Access>> = {
  "/api/body/": { kind: "session" },
  "/api/v1/body/": { kind: "service-token", scopes: [] },
  "/api/v1/mcp": { kind: "service-token", scopes: [], resource: "mcp" },
  "/api/open-body/": { kind: "open" },
};

/** A server whose routes take a body and answer with the sources that their caller is connected to. */
async function setBodies(t: TestContext) {
  const fixture = await createAuthFixture(t);
  const { instance, taken } = await countLookups(fixture);
  let headArrived = () => {};
  let handled = 0;
  const addRoute = (app: Pick<App, "post">, path: string, access: Access) =>
    app.post(path, { config: { access }, onRequest: async () => headArrived() }, async ({ caller }) => {
      handled += 1;
      return sourcesOf(caller);
    });
  const { call, close } = await serveGate(fixture, {
    instance,
    routes: (app) => {
      for (const [path, access] of Object.entries(bodyRoutes)) addRoute(app, path, access);
      app.register(async (scope) => {
        limitToSource(scope, "notion");
        addRoute(scope, "/api/v1/notion/body/", { kind: "service-token", scopes: [] });
      });
    },
  });
  const user = await fixture.signUp("owner");
  return {
    ...{ ...fixture, call, close, taken, userId: user.id },
    session: await fixture.signIn(user.id),
    token: await fixture.serviceToken(user.id),
    /** The requests that reached their handler. */
    handled: () => handled,
    /** Sends a request whose body ends after `meanwhile`, which begins once the gate has admitted the head. */
    send(path: string, bearer: string, meanwhile: () => Promise<unknown>) {
      const { promise: admitted, resolve } = Promise.withResolvers<void>();
      headArrived = resolve;
      async function* body() {
        yield Buffer.from("{");
        await admitted;
        await meanwhile();
        yield Buffer.from("}");
      }
      const late = { body: ReadableStream.from(body()), duplex: "half" } as const;
      return call(path, bearer, { method: "POST", headers: json, ...late });
    },
  };
}

const sourcesOf = (caller: Caller) =>
  caller.kind === "anonymous" ? null : caller.connections.map(({ provider }) => provider);

const revoked = 'error="invalid_token", error_description="The token was revoked, or its session has ended."';

test("TOK-8, SESS-4: credentials that end while a body arrives are refused, and the audit trail has it", async (t) => {
  const server = await setBodies(t);
  const { send, database, clock, sessions, session, token } = server;
  const logout = async () =>
    sessions.logout(actorOf(await sessions.verifyAccess(session.access)), session.refresh);
  const ended = await problem(await send("/api/body/", session.access, logout), 401, "token_revoked");
  assert.equal(ended, `Bearer realm="clew", ${revoked}`);
  const revoke = () => database.transaction((trx) => setTokenRevoked(trx, token.id, clock()));
  const refused = await problem(await send("/api/v1/body/", token.raw, revoke), 401, "token_revoked");
  assert.equal(refused, `Bearer realm="clew", ${revoked}`);
  assert.equal(server.handled(), 0);
  await server.close();
  const lines = database.read.selectFrom("audit").select(["token_id", "reason"]);
  assert.deepEqual(await lines.where("event", "=", "token_refused").execute(), [
    { token_id: token.id, reason: "token_revoked" },
  ]);
});

test("APP-2: a token of the MCP transport that ends while a body arrives leads apps to the metadata", async (t) => {
  const { send, database, clock, token, handled } = await setBodies(t);
  const revoke = () => database.transaction((trx) => setTokenRevoked(trx, token.id, clock()));
  const sent = "/api/v1/mcp/?tools=search";
  const challenge = await problem(await send(sent, token.raw, revoke), 401, "token_revoked");
  const metadata = `https://clew.example/.well-known/oauth-protected-resource${sent}`;
  const scopes = "graph:search graph:read graph:neighbors";
  assert.equal(challenge, `Bearer resource_metadata="${metadata}", scope="${scopes}", ${revoked}`);
  assert.equal(handled(), 0);
});

for (const path of ["/api/v1/body/", "/api/v1/mcp"]) {
  test(`OPS-13: a person whose move begins while a body arrives is asked to come again: ${path}`, async (t) => {
    const { call, send, database, userId, token, handled } = await setBodies(t);
    const mark = () => database.transaction((trx) => setMark(trx, userId, { from: null, to: 2 }));
    const expectLater = async (answer: Response) => {
      assert.equal(answer.headers.get("retry-after"), "5");
      assert.equal(await problem(answer, 503, "unavailable"), null);
    };
    await expectLater(await send(path, token.raw, mark));
    await expectLater(await call(path, token.raw, { method: "POST", headers: json, body: "{}" }));
    assert.equal(handled(), 0);
  });

  test(`ERR-4: a request is refused if the store fails while its body arrives: ${path}`, async (t) => {
    const { send, database, token, handled } = await setBodies(t);
    const lose = () =>
      database.transaction((trx) => trx.schema.alterTable("service_tokens").renameTo("lost").execute());
    assert.equal(await problem(await send(path, token.raw, lose), 500, "internal"), null);
    assert.equal(handled(), 0);
  });
}

test("GRAPH-10, SIGN-7: a request with a body has the connections that its caller has when the body has arrived", async (t) => {
  const { send, connect, userId, session, token } = await setBodies(t);
  const workspaces = [1, 2, 3].map((number) => `${number}1111111-1111-4111-8111-111111111111`);
  const seen = async (path: string, bearer: string, provider: string): Promise<unknown> => {
    const connectNext = () => connect(userId, workspaces.shift() ?? "", provider);
    return (await send(path, bearer, connectNext)).json();
  };
  assert.deepEqual(await seen("/api/body/", session.access, "notion"), ["notion"]);
  assert.deepEqual(await seen("/api/v1/body/", token.raw, "some"), ["notion", "some"]);
  assert.deepEqual(await seen("/api/v1/notion/body/", token.raw, "notion"), ["notion", "notion"]);
});

test("LIM-2: a caller is looked up once for a request, once more if it has a body, and never on an open route", async (t) => {
  const { call, session, token, taken } = await setBodies(t);
  const post = (path: string, bearer: string, body?: string) =>
    call(path, bearer, body === undefined ? { method: "POST" } : { method: "POST", headers: json, body });
  const lookups = async (answer: Promise<Response>) => {
    taken();
    assert.equal((await answer).status, 200);
    return taken();
  };
  assert.equal(await lookups(call("/api/v1/nodes/", token.raw)), 1);
  assert.equal(await lookups(call("/api/auth/validate/", session.access)), 1);
  assert.equal(await lookups(post("/api/v1/body/", token.raw)), 1);
  assert.equal(await lookups(post("/api/v1/body/", token.raw, "{}")), 2);
  assert.equal(await lookups(post("/api/body/", session.access, "{}")), 2);
  assert.equal(await lookups(call("/api/open/", token.raw)), 0);
  assert.equal(await lookups(post("/api/open-body/", token.raw, "{}")), 0);
});
