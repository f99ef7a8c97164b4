import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { type Instance, type Stage, setStage } from "../../../auth/testing/stage.ts";
import { upsertConnection } from "../../../store/connections.ts";
import type { App } from "../../app-instance.ts";
import { serveRoutes } from "../../testing/route-server.ts";
import { tokenRoutes } from "../routes.ts";

/** An answer of the server: `body` is its JSON, undefined where it has none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects by looking
  readonly body: any;
}

/** The token routes as one bearer of a token calls them. */
export interface Calls {
  create(body: unknown, query?: string): Promise<Answer>;
  list(query?: string): Promise<Answer>;
  revoke(id: number | string): Promise<Answer>;
}

/** Somebody who is signed in. */
export interface SignedIn extends Calls {
  readonly userId: string;
  readonly access: string;
}

export interface TokenServer {
  readonly stage: Stage;
  /** Every line that was logged. */
  readonly logged: readonly string[];
  /** Signs somebody in, the first time or again, who is connected to these workspaces. */
  signIn(name: string, workspaceIds?: readonly string[]): Promise<SignedIn>;
  /** Whoever presents this; nothing where it is null. */
  as(bearer: string | null): Calls;
  /** Another instance of the server on the same database. */
  elsewhere(): Promise<Pick<TokenServer, "as">>;
}

export const workspaceId = "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/** A creation that nothing is wrong with. */
export const wish = { name: "agent", scopes: ["graph:read"], workspace_ids: [workspaceId] } as const;

/** The token routes behind the gate, on a real database. */
export async function serveTokens(t: TestContext): Promise<TokenServer> {
  const stage = await setStage(t);
  const logged: string[] = [];
  const app = await startApp(t, stage, stage, logged);
  const as = (bearer: string | null) => callsOf(app, bearer);
  return {
    stage,
    logged,
    as,
    async signIn(name, workspaceIds = [workspaceId]) {
      const { id: userId } = await stage.signUp(name);
      await stage.database.transaction(async (trx) => {
        for (const id of workspaceIds) await upsertConnection(trx, grant(userId, id), stage.clock());
      });
      const { access } = await stage.signIn(userId);
      return { userId, access, ...as(access) };
    },
    async elsewhere() {
      const other = await startApp(t, stage, await stage.instance(), logged);
      return { as: (bearer) => callsOf(other, bearer) };
    },
  };
}

function startApp(t: TestContext, stage: Stage, instance: Instance, logged: string[]): Promise<App> {
  const parts = {
    database: instance.database,
    secrets: stage.secrets,
    clock: stage.clock,
    random: (size: number) => new Uint8Array(randomBytes(size)),
  };
  return serveRoutes(t, {
    stage,
    instance,
    logged,
    routes: async (scope) => {
      await scope.register((below) => tokenRoutes(below, parts), { prefix: "/api/tokens" });
    },
  });
}

function callsOf(app: App, bearer: string | null): Calls {
  const credentials = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
  const call = async (method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Answer> => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const payload = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await app.inject({
      method,
      url: `/api/tokens/${path}`,
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
    create: (body, query = "") => call("POST", query, body),
    list: (query = "") => call("GET", query),
    revoke: (id) => call("DELETE", `${id}/`),
  };
}

const grant = (userId: string, workspace: string) => ({
  userId,
  workspaceId: workspace,
  name: null,
  icon: null,
  botId: "bot",
  accessToken: Uint8Array.of(1),
  refreshToken: null,
});
