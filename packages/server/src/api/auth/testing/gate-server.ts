import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { type Access, loggedSender, optionalSession, registerGate } from "../../../auth/gate.ts";
import { type AuthFixture, createAuthFixture, type Instance } from "../../../auth/testing/auth-fixture.ts";
import { createRefusedUse, createTokenUse, type TokenUse } from "../../../auth/token-use.ts";
import { proxyRanges, rangeMatcher } from "../../../config/trusted-proxies.ts";
import { createLimits, limitSignIn } from "../../../http/limits/rate-limits.ts";
import { createServer } from "../../../http/server.ts";
import { registerWrongMethods } from "../../../http/wrong-method.ts";
import { authRoutes } from "../routes.ts";

/** Requests per minute; by default those of the specification. */
type Quotas = Parameters<typeof createLimits>[0];

const usualQuotas: Quotas = { token: 600, session: 600, signIn: 30, failedAuth: 60, open: 1200 };

/** Clew's server over real HTTP, with the routes of sessions and a few sample routes. */
export interface GateServer {
  readonly origin: string;
  readonly tokenUse: TokenUse;
  /** Sends a request with these credentials, if any, as `Authorization: Bearer`. */
  call(path: string, bearer?: string | null, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, bearer?: string | null): Promise<Response>;
  close(): Promise<void>;
}

const standIns: Readonly<Record<string, Access>> = {
  "/api/open/": { kind: "open" },
  "/healthz": { kind: "open", limit: "health" },
  "/api/provider-graph/search/": { kind: "session" },
  "/api/v1/": { kind: "service-token", scopes: [] },
  "/api/v1/search/": { kind: "service-token", scopes: ["graph:search"] },
  "/api/v1/nodes/": { kind: "service-token", scopes: ["graph:read"] },
  "/api/v1/paths/": { kind: "service-token", scopes: ["graph:neighbors"] },
};

export async function serveGate(
  fixture: AuthFixture,
  options: { quotas?: Partial<Quotas>; instance?: Instance; trustProxy?: string; logged?: string[] } = {},
): Promise<GateServer> {
  const { clock } = fixture;
  const { logged } = options;
  const { database, sessions, config } = options.instance ?? fixture;
  const limits = createLimits({ ...usualQuotas, ...options.quotas }, clock);
  const tokenUse = createTokenUse({ database, clock, onError: () => {} });
  const app = createServer({
    log:
      logged === undefined
        ? pino({ level: "silent" })
        : pino({}, { write: (line: string) => void logged.push(line) }),
    isUnavailable: database.isUnavailable,
    publicOrigin: "https://clew.example",
    dashboardOrigin: "https://clew.example",
    senderOf: loggedSender,
    trustsProxy: rangeMatcher(proxyRanges([options.trustProxy ?? "loopback"])),
  });
  const closeMethods = registerWrongMethods(app);
  const refusedUse = createRefusedUse({ database, onError: () => {} });
  registerGate(app, {
    database,
    sessions,
    limits,
    tokenUse,
    refusedUse,
    clock,
    config: { ...config, publicUrl: new URL("https://clew.example"), oauthClients: "open" },
  });
  for (const [path, access] of Object.entries(standIns)) {
    app.get(path, { config: { access } }, async ({ caller }) => caller);
  }
  app.get("/api/forgotten/", async () => "a secret");
  app.get("/api/status/", { config: { access: { kind: "open" } } }, async (request) => ({
    user: (await optionalSession(request, sessions))?.userId ?? null,
  }));
  app.get(
    "/api/sign-in/",
    { config: { access: { kind: "open", limit: "own" } }, onRequest: limitSignIn(limits) },
    async () => "ok",
  );
  await app.register((scope) => authRoutes(scope, { database, sessions, limits }), {
    prefix: "/api/auth",
  });
  closeMethods();
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  fixture.atEnd(() => app.close());

  const call: GateServer["call"] = (path, bearer, init = {}) => {
    const headers = new Headers(init.headers);
    if (bearer) headers.set("authorization", `Bearer ${bearer}`);
    return fetch(origin + path, { ...init, headers });
  };
  return {
    origin,
    tokenUse,
    call,
    post: (path, body, bearer) =>
      call(path, bearer, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    close: () => app.close(),
  };
}

/** The server with a user who is signed in. */
export async function setGate(t: TestContext, options: Parameters<typeof serveGate>[1] = {}) {
  const fixture = await createAuthFixture(t);
  const server = await serveGate(fixture, options);
  const user = await fixture.signUp("owner");
  const session = await fixture.signIn(user.id);
  return { ...fixture, ...server, fixture, user, session };
}

/** Asserts that a response is this problem, and returns its challenge. */
export async function problem(answer: Response, status: number, code: string): Promise<string | null> {
  const body: unknown = await answer.json();
  assert.ok(typeof body === "object" && body !== null && "code" in body, JSON.stringify(body));
  assert.deepEqual([answer.status, body.code], [status, code]);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  return answer.headers.get("www-authenticate");
}
