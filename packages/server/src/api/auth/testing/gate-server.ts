import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import type { FastifyRequest } from "fastify";
import { pino } from "pino";
import {
  type Access,
  limitToSource,
  loggedSender,
  optionalSession,
  registerGate,
} from "../../../auth/gate.ts";
import { Sessions } from "../../../auth/sessions.ts";
import { type AuthFixture, createAuthFixture, type Instance } from "../../../auth/testing/auth-fixture.ts";
import { createRefusedUse, createTokenUse, type TokenUse } from "../../../auth/token-use.ts";
import { proxyRanges, rangeMatcher } from "../../../config/trusted-proxies.ts";
import { createLimits, limitSignIn } from "../../../http/limits/rate-limits.ts";
import { type App, createServer } from "../../../http/server.ts";
import { registerWrongMethods } from "../../../http/wrong-method.ts";
import type { Caller } from "../../../model/caller.ts";
import type { Database } from "../../../store/port.ts";
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

const anyToken: Access = { kind: "service-token", scopes: [] };

const standIns: Readonly<Record<string, Access>> = {
  "/api/open/": { kind: "open" },
  "/healthz": { kind: "open", limit: "health" },
  "/api/provider-graph/search/": { kind: "session" },
  "/api/v1/": anyToken,
  "/api/v1/search/": { kind: "service-token", scopes: ["graph:search"] },
  "/api/v1/nodes/": { kind: "service-token", scopes: ["graph:read"] },
  "/api/v1/paths/": { kind: "service-token", scopes: ["graph:neighbors"] },
  "/api/v1/own-limit/": { kind: "service-token", scopes: [], limit: "own" },
};

/** Options of the server, by default those of an instance of its own without a log. */
interface GateOptions {
  readonly quotas?: Partial<Quotas>;
  readonly instance?: Instance;
  readonly trustProxy?: string;
  /** Receives the lines of the log. */
  readonly logged?: string[];
  /** Work to be done while a response of `/api/v1/long/` is being made. */
  readonly meanwhile?: () => Promise<unknown>;
  /** Adds routes to the sample routes. */
  readonly routes?: (app: App) => void;
}

/** The sources of the caller's connections: as the gate found the caller, and as of now. */
async function sourcesSeen(request: FastifyRequest) {
  const sources = (caller: Caller) =>
    caller.kind === "anonymous" ? [] : caller.connections.map(({ provider }) => provider);
  return { first: sources(request.caller), now: sources(await request.confirmCaller()) };
}

export async function serveGate(fixture: AuthFixture, options: GateOptions = {}): Promise<GateServer> {
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
  app.get("/api/v1/sources/", { config: { access: anyToken } }, sourcesSeen);
  await app.register(async (scope) => {
    limitToSource(scope, "notion");
    scope.get("/api/v1/notion/sources/", { config: { access: anyToken } }, sourcesSeen);
  });
  app.get("/api/v1/long/", { config: { access: anyToken } }, async (request) => {
    await options.meanwhile?.();
    return request.confirmCaller();
  });
  app.get("/api/open-confirmed/", { config: { access: { kind: "open" } } }, (request) =>
    request.confirmCaller(),
  );
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
  options.routes?.(app);
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

/** An instance on the fixture's database that counts the look-ups of callers. */
export async function countLookups(fixture: AuthFixture) {
  const { config, clock, issuer, secrets } = fixture;
  let looked = 0;
  const callers: Database["callers"] = (keys) => {
    looked += keys.length;
    return fixture.database.callers(keys);
  };
  const database: Database = { ...fixture.database, callers };
  const { allowed } = config;
  const sessions = await Sessions.create({ database, secrets, clock, random: randomBytes, issuer, allowed });
  return {
    instance: { database, sessions, config },
    /** The look-ups since the last call. */
    taken: () => {
      const count = looked;
      looked = 0;
      return count;
    },
  };
}

/** Asserts that a response is this problem, and returns its challenge. */
export async function problem(answer: Response, status: number, code: string): Promise<string | null> {
  const body: unknown = await answer.json();
  assert.ok(typeof body === "object" && body !== null && "code" in body, JSON.stringify(body));
  assert.deepEqual([answer.status, body.code], [status, code]);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  return answer.headers.get("www-authenticate");
}
