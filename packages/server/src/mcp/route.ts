import type { IncomingHttpHeaders } from "node:http";
import { closed, Problem, problems, ref, ToolMessage, type ToolName, tools } from "@clew/contract";
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Type } from "typebox";
import { type RefusedUseServices, recordRefusedUse, requireServiceToken } from "../auth/gate.ts";
import type { App } from "../http/server.ts";
import { ApiError } from "../model/api-error.ts";
import type { QueryServices } from "../operations/request-context.ts";
import { errorResult } from "./errors.ts";
import { isToolName, serverFor } from "./server.ts";

/** The protocol's message, serialised by its own package. */
const Answer = Type.Unsafe<string>(Type.Object({}, { additionalProperties: true }));

const ToolsQuery = closed({
  tools: Type.Optional(
    Type.String({
      minLength: 1,
      description: `Comma-separated list of the tools to offer: ${Object.keys(tools).join(", ")}. By default, all but search and fetch`,
    }),
  ),
});

/**
 * `POST /api/v1/mcp`: tools for agents, over the Model Context Protocol's streamable HTTP (revision 2026-07-28, and those
 * of 2025 without sessions). Requests are independent: caller, scopes and limits are checked as for any other request to V1.
 */
export async function mcpRoute(app: App, services: QueryServices, parts: RefusedUseServices): Promise<void> {
  app.post(
    "/",
    {
      config: {
        access: { kind: "service-token", scopes: [] },
        ownOriginsOnly: true,
        // Clients without a token try GET first.
        credentialsBeforeMethod: true,
        answersOverLimit: true,
      },
      schema: {
        querystring: ToolsQuery,
        body: ref(ToolMessage),
        response: { 200: Answer, default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const { message, toolArguments } = withoutArguments(request.body);
      if (request.overLimit !== null) {
        if (message.method !== "tools/call" || message.id === undefined) throw request.overLimit;
        return reply.type("application/json").send(resultMessage(message.id, request.overLimit));
      }
      const reader = requireServiceToken(request);
      const onRefusal = (refusal: ApiError) => {
        if (problems[refusal.code].status >= 500) request.log.error({ err: refusal }, "a tool failed");
        recordRefusedUse(parts, request, refusal);
      };
      const wanted = wantedTools(request.query.tools);
      const open = () => serverFor({ services, reader, wanted, toolArguments, onRefusal });
      const url = new URL(request.url, "http://this.host");
      const answer = await serve(
        new Request(url, { method: "POST", headers: headersOf(request.headers) }),
        message,
        open,
      );
      const mediaType = answer.headers.get("content-type");
      if (mediaType !== null) reply.type(mediaType);
      return reply.code(answer.status).send(await answer.text());
    },
  );
}

/**
 * A message without the arguments of the tool that it calls. Clew reads those itself: the protocol's package would refuse what
 * agents send by mistake with an error that they cannot act on.
 */
function withoutArguments(message: ToolMessage): { message: ToolMessage; toolArguments?: unknown } {
  if (message.method !== "tools/call" || message.params === undefined) return { message };
  const { arguments: toolArguments, ...params } = message.params;
  return { message: { ...message, params }, toolArguments };
}

/** The tools that a client names in the address. Throws `ApiError` if one of them does not exist. */
function wantedTools(list: string | undefined): readonly ToolName[] | undefined {
  return list?.split(",").map((text) => {
    const name = text.trim();
    if (isToolName(name)) return name;
    const message = `must be a comma-separated list of ${Object.keys(tools).join(", ")}`;
    throw new ApiError("invalid_request", "The address names a tool that does not exist.", {
      faults: [{ path: "?tools", message }],
    });
  });
}

/** Serves one message in the revision that it is written in. Answers are JSON: a stream would begin only with a message before the result. */
async function serve(request: Request, parsedBody: ToolMessage, open: () => Server): Promise<Response> {
  if (!(await isLegacyRequest(request, parsedBody))) {
    // The package would call this an internal error, though nothing that could be subscribed to is advertised.
    if (parsedBody.method === "subscriptions/listen") return methodNotFound(parsedBody.id);
    return createMcpHandler(open, { maxSubscriptions: 0 }).fetch(request, { parsedBody });
  }
  const server = open();
  // Without a generator of session ids there are no sessions.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

const methodNotFound = (id: ToolMessage["id"]): Response =>
  Response.json(
    {
      jsonrpc: "2.0",
      id: id ?? null,
      error: { code: ProtocolErrorCode.MethodNotFound, message: "Method not found" },
    },
    { status: 404 },
  );

/** The headers that the protocol reads, without credentials: the caller is authenticated already. */
function headersOf(headers: IncomingHttpHeaders): Headers {
  // The package refuses clients that do not take streams too, although it sends none.
  const read = new Headers({ accept: "application/json, text/event-stream" });
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && /^(?:content-type|mcp-.*)$/.test(name)) read.set(name, String(value));
  }
  return read;
}

/** Agents see results of tools, but not always why a request failed (AGT-4). */
const resultMessage = (id: string | number, error: ApiError): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: errorResult(error) });
