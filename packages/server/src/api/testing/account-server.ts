import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import {
  type AuthFixture,
  type AuthFixtureSettings,
  createAuthFixture,
  type Instance,
} from "../../auth/testing/auth-fixture.ts";
import type { App } from "../../http/server.ts";
import { upsertConnection } from "../../store/queries/connections.ts";
import { auditRoute } from "../audit/route.ts";
import { sessionRoutes } from "../auth/sessions.ts";
import { healthRoutes } from "../root.ts";
import { tokenRoutes } from "../tokens/routes.ts";
import { type Answer, serveRoutes } from "./route-server.ts";

/** The requests for tokens and sessions that a client with one token can make. */
export interface Calls {
  create(body: unknown, query?: string): Promise<Answer>;
  list(query?: string): Promise<Answer>;
  /** Sends no body if `body` is undefined. */
  rotate(id: number | string, body?: unknown): Promise<Answer>;
  revoke(id: number | string): Promise<Answer>;
  sessions(query?: string): Promise<Answer>;
  endSession(id: string): Promise<Answer>;
  endOtherSessions(): Promise<Answer>;
  audit(query?: string): Promise<Answer>;
}

/** A user who is signed in. */
export interface SignedIn extends Calls {
  readonly userId: string;
  readonly sessionId: string;
  readonly access: string;
}

export interface AccountServer {
  readonly fixture: AuthFixture;
  /** Every line that was logged. */
  readonly logged: readonly string[];
  /** Signs in a new or known user who is connected to these workspaces. */
  signIn(name: string, workspaceIds?: readonly string[]): Promise<SignedIn>;
  /** The status of `GET /healthz` or `GET /readyz`. */
  health(path: "healthz" | "readyz"): Promise<number>;
  /** A client that presents this token; none if it is null. */
  as(bearer: string | null): Calls;
  /** Another instance of the server on the same database. */
  elsewhere(): Promise<Pick<AccountServer, "as" | "flush">>;
  /** Flushes the refused uses. */
  flush(): Promise<void>;
}

export const workspaceId = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/** A valid body of a creation. */
export const validBody = { name: "agent", scopes: ["graph:read"], workspace_ids: [workspaceId] } as const;

/** The routes of service tokens, sessions and the audit trail behind the gate, on a real database. */
export async function serveAccounts(t: TestContext, settings?: AuthFixtureSettings): Promise<AccountServer> {
  const fixture = await createAuthFixture(t, settings);
  const logged: string[] = [];
  const { app, flush } = await startApp(fixture, fixture, logged);
  const as = (bearer: string | null) => callsOf(app, bearer);
  return {
    fixture,
    logged,
    as,
    flush,
    health: async (path) => (await app.inject(`/${path}`)).statusCode,
    async signIn(name, workspaceIds = [workspaceId]) {
      const { id: userId } = await fixture.signUp(name);
      await fixture.database.transaction(async (trx) => {
        for (const id of workspaceIds) await upsertConnection(trx, grant(userId, id), fixture.clock());
      });
      const { sessionId, access } = await fixture.signIn(userId);
      return { userId, sessionId, access, ...as(access) };
    },
    async elsewhere() {
      const other = await startApp(fixture, await fixture.instance(), logged);
      return { as: (bearer) => callsOf(other.app, bearer), flush: other.flush };
    },
  };
}

async function startApp(fixture: AuthFixture, instance: Instance, logged: string[]) {
  const services = {
    database: instance.database,
    secrets: fixture.secrets,
    clock: fixture.clock,
    random: (size: number) => new Uint8Array(randomBytes(size)),
    config: { publicUrl: new URL("https://clew.example") },
  };
  let flush = async () => {};
  const app = await serveRoutes({
    fixture,
    instance,
    logged,
    routes: async (scope, { refusedUse, tokenUse }) => {
      flush = refusedUse.flush;
      await scope.register(healthRoutes, { ...services, lifecycle: { stopping: false } });
      await scope.register((below) => tokenRoutes(below, { ...services, tokenUse }), {
        prefix: "/api/tokens",
      });
      await scope.register((below) => auditRoute(below, { ...services, refusedUse }), {
        prefix: "/api/audit",
      });
      await scope.register((below) => sessionRoutes(below, services), { prefix: "/api/auth/sessions" });
    },
  });
  return { app, flush: () => flush() };
}

function callsOf(app: App, bearer: string | null): Calls {
  const credentials = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
  const call = async (method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Answer> => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const payload = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await app.inject({
      method,
      url: `/api/${path}`,
      headers: { ...credentials, ...json },
      ...(body === undefined ? {} : { payload }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: answer.body === "" ? undefined : answer.json(),
    };
  };
  return {
    create: (body, query = "") => call("POST", `tokens/${query}`, body),
    list: (query = "") => call("GET", `tokens/${query}`),
    rotate: (id, body) => call("POST", `tokens/${id}/rotate/`, body),
    revoke: (id) => call("DELETE", `tokens/${id}/`),
    sessions: (query = "") => call("GET", `auth/sessions/${query}`),
    endSession: (id) => call("DELETE", `auth/sessions/${id}/`),
    endOtherSessions: () => call("DELETE", "auth/sessions/"),
    audit: (query = "") => call("GET", `audit/${query}`),
  };
}

const grant = (userId: string, workspace: string) => ({
  userId,
  workspaceId: workspace,
  name: null,
  icon: null,
  provider: "notion",
  grantId: "grant",
  accessToken: Uint8Array.of(1),
  refreshToken: null,
});

/** All items of a list, following its cursors in pages of `limit`; each `Link` must have the same cursor. */
export async function followCursors<Item>(
  read: (query: string) => Promise<Answer>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body, headers } = await read(`?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    items.push(...body.items);
    cursor = body.next_cursor;
    assert.equal("link" in headers, cursor !== null);
  }
  return items;
}
