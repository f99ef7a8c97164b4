import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Scope, TokenActivity } from "@clew/contract";
import type { ActivityLog } from "../../../activity/activity-log.ts";
import { mcpRoute } from "../../../mcp/route.ts";
import { referenceTo } from "../../../store/testing/scratch.ts";
import { SessionStreams } from "../../event-streams.ts";
import { type GraphServer, type Person, serveGraphs } from "../../graph/testing/graph-server.ts";
import { activityRoutes } from "../activity-routes.ts";
import { createActivityStreams } from "../activity-streams.ts";

export const workspace = "11111111-1111-4111-8111-111111111111";

type Answer = Awaited<ReturnType<GraphServer["app"]["inject"]>>;

/** A service token, and the calls of the program that has it. */
export interface Agent {
  readonly id: number;
  readonly raw: string;
  /** Calls a path below V1. */
  get(path: string): Promise<Answer>;
  /** Posts a message of the protocol for agents. */
  post(message: object): Promise<Answer>;
  callTool(name: string, input: object): Promise<Answer>;
}

/** A graph server with the routes of activity and of agents, and an owner of three pages, each of which links to the next. */
export async function serveActivity(t: TestContext, options: Parameters<typeof serveGraphs>[2] = {}) {
  const logs: ActivityLog[] = [];
  const server = await serveGraphs(
    t,
    async (app, { fixture, activity, refusedUse, limits, v1 }) => {
      logs.push(activity);
      const sessionStreams = new SessionStreams();
      const activityStreams = createActivityStreams({ ...fixture, sessionStreams, onError: assert.ifError });
      app.addHook("preClose", async () => sessionStreams.close());
      const services = { ...fixture, activity, activityStreams };
      await app.register((scope) => activityRoutes(scope, services), { prefix: "/api/tokens" });
      const parts = { refusedUse, limits, clock: fixture.clock };
      await app.register((scope) => mcpRoute(scope, v1, parts), { prefix: "/api/v1/mcp" });
    },
    options,
  );
  const [activity] = logs;
  assert.ok(activity);
  const { app, fixture } = server;
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    { number: 1, given: { title: "Jupiter" }, text: "A planet.", references: [referenceTo(2)] },
    { number: 2, given: { title: "Io" }, references: [referenceTo(3)] },
    { number: 3, given: { title: "Sulphur" } },
  ]);

  async function agent({ userId }: Person, scopes?: readonly Scope[]): Promise<Agent> {
    const wanted = { workspaceIds: [workspace], ...(scopes && { scopes }) };
    const { raw, id } = await fixture.serviceToken(userId, wanted);
    const authorization = `Bearer ${raw}`;
    const post = (message: object) =>
      app.inject({
        method: "POST",
        url: "/api/v1/mcp",
        headers: { authorization, "content-type": "application/json", accept: "application/json" },
        payload: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
      });
    return {
      id,
      raw,
      get: (path) => app.inject({ url: `/api/v1${path}`, headers: { authorization } }),
      post,
      callTool: (name, input) => post({ method: "tools/call", params: { name, arguments: input } }),
    };
  }

  const ask = async ({ userId }: Person, path: string) => {
    // Time may have passed since the last session was opened.
    const { access } = await fixture.signIn(userId);
    return app.inject({ url: `/api/tokens/${path}`, headers: { authorization: `Bearer ${access}` } });
  };

  return {
    server,
    fixture,
    clock: fixture.clock,
    /** The log into which the server records. */
    activity,
    owner,
    /** A token of a person, by default with every scope. */
    agent,
    /** Calls a path below `/api/tokens/` with a new session of a person. */
    ask,
    /** Reads the activity of a token as its owner does. */
    async activityOf(person: Person, id: number, query = ""): Promise<TokenActivity> {
      const { statusCode, body, json } = await ask(person, `${id}/activity/${query}`);
      assert.equal(statusCode, 200, body);
      return json();
    },
  };
}
