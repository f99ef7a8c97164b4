import type { TestContext } from "node:test";
import type { Scope, ToolName } from "@clew/contract";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  type Bearer,
  type GraphServer,
  type Person,
  type SeededPage,
  serveGraphs,
} from "../../api/graph/testing/graph-server.ts";
import type { Connection } from "../../model/connection.ts";
import { finishSync } from "../../store/queries/connections.ts";
import { mcpRoute } from "../route.ts";

interface AgentServer extends GraphServer {
  /** The official client of the protocol, with this token. */
  agent(token: string, options?: AgentOptions): Promise<Client>;
  /** Posts a message as it is. */
  post(message: unknown, headers?: Readonly<Record<string, string>>, query?: string): Promise<Response>;
}

interface AgentOptions {
  /** The era of the protocol that the client speaks; by default that of 2025. */
  readonly era?: "2025" | "2026";
  /** Of the address, for example `?tools=search`. */
  readonly query?: string;
}

/** Both APIs and the tools for agents, behind the gate, on a real port. */
async function serveAgents(t: TestContext, options: Parameters<typeof serveGraphs>[2]): Promise<AgentServer> {
  const routes: Parameters<typeof serveGraphs>[1] = async (app, { v1, refusedUse, limits, fixture }) => {
    const parts = { refusedUse, limits, clock: fixture.clock };
    await app.register((scope) => mcpRoute(scope, v1, parts), { prefix: "/api/v1/mcp" });
  };
  const server = await serveGraphs(t, routes, options);
  const origin = await server.app.listen({ host: "127.0.0.1", port: 0 });
  const address = (query = "") => new URL(`/api/v1/mcp${query}`, origin);
  return {
    ...server,
    async agent(token, { era = "2025", query } = {}) {
      const negotiation = era === "2026" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
      const client = new Client({ name: "a test", version: "1" }, negotiation);
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(address(query), { requestInit: { headers } }));
      t.after(() => client.close());
      return client;
    },
    post: (message, headers = {}, query) =>
      fetch(address(query), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", ...headers },
        body: JSON.stringify(message),
      }),
  };
}

export const workspace = "11111111-1111-4111-8111-111111111111";

export interface Stage {
  readonly server: AgentServer;
  /** The owner's connection to the workspace. */
  readonly connection: Connection;
  readonly owner: Person;
  readonly token: Bearer;
  readonly agent: Client;
}

interface StageOptions {
  readonly scopes?: readonly Scope[];
  /** Whether a sync has been complete, as it is by default. */
  readonly isWhole?: boolean;
}

/** Records that a sync of a connection was complete. */
export async function completeSync({ fixture }: AgentServer, { id }: Connection): Promise<void> {
  const { database, clock } = fixture;
  const now = clock();
  await database.transaction((trx) => finishSync(trx, id, { startedAt: now, now, isComplete: true }));
}

/** A user with one workspace of these pages, and an agent with a token for it. */
export async function stageAgent(
  t: TestContext,
  pages: readonly SeededPage[],
  { scopes, isWhole = true, ...options }: StageOptions & Parameters<typeof serveGraphs>[2] = {},
): Promise<Stage> {
  const server = await serveAgents(t, options);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  if (isWhole) await completeSync(server, connection);
  const token = await owner.token({ workspaceIds: [workspace], ...(scopes && { scopes }) });
  return { server, connection, owner, token, agent: await server.agent(token.raw) };
}

/** The result of a tool, as an agent gets it. */
export interface Used {
  readonly text: string;
  readonly isError: boolean;
  /** The contract's message; empty without one. */
  readonly message: Readonly<Record<string, unknown>>;
  /** The note about the arguments beside a message; empty without one. */
  readonly note: string;
}

/** Calls a tool. An answer is one text, with a second one for a note only where the first is the message, which this checks. */
export async function use(agent: Client, name: ToolName, input: Record<string, unknown> = {}): Promise<Used> {
  const { content, structuredContent, isError = false } = await agent.callTool({ name, arguments: input });
  const texts = content.map((block) => (block.type === "text" ? block.text : ""));
  const [text = "", note, ...others] = texts;
  const mayHaveNote = structuredContent !== undefined;
  if (texts.includes("") || text === "" || (note !== undefined && !mayHaveNote) || others.length > 0)
    throw new Error(`${name} returned no single text: ${JSON.stringify(content)}`);
  return { text, isError, message: Object(structuredContent), note: note ?? "" };
}
