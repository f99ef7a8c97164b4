import {
  closed,
  isToolName,
  Problem,
  problems,
  ref,
  ToolMessage,
  type ToolName,
  tools,
} from "@clew/contract";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { tokenLimitKey } from "../auth/authenticate.ts";
import { type RefusedUseServices, recordRefusedUse, requireServiceToken } from "../auth/gate.ts";
import { type Limits, refusalOf } from "../http/limits/rate-limits.ts";
import { responseClosed } from "../http/response-closed.ts";
import type { App } from "../http/server.ts";
import { ApiError } from "../model/api-error.ts";
import type { QueryServices } from "../operations/request-context.ts";
import { errorResult } from "./errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The tool that the request calls; undefined for other messages, and for tools that do not exist. */
    tool?: ToolName;
  }
}

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
export async function mcpRoute(
  app: App,
  services: QueryServices,
  parts: RefusedUseServices & { readonly limits: Pick<Limits, "token"> },
): Promise<void> {
  app.decorateRequest("tool");
  /** The refusals of requests beyond the limit of their token, which the answers to calls of tools are. */
  const refusals = new WeakMap<FastifyRequest, ApiError>();
  app.post(
    "/",
    {
      config: {
        access: { kind: "service-token", scopes: [], limit: "own", resource: "mcp" },
        ownOriginsOnly: true,
        isCompressed: true,
        // Clients without a token try GET first.
        credentialsBeforeMethod: true,
      },
      // Before the body is read, so that requests with an invalid body count too.
      onRequest: async (request, reply) => {
        const refusal = refusalOf(parts.limits.token.take(tokenLimitKey(request)), reply);
        if (refusal !== null) refusals.set(request, refusal);
      },
      schema: {
        querystring: ToolsQuery,
        body: ref(ToolMessage),
        response: { 200: Answer, default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const { message, toolArguments } = withoutArguments(request.body);
      const tool = message.method === "tools/call" ? message.params?.name : undefined;
      if (typeof tool === "string" && isToolName(tool)) request.tool = tool;
      const refusal = refusals.get(request);
      if (refusal !== undefined) {
        if (message.method !== "tools/call" || message.id === undefined) throw refusal;
        return reply.type("application/json").send(resultMessage(message.id, refusal));
      }
      const caller = requireServiceToken(request);
      const onError = (error: ApiError) => {
        if (problems[error.code].status >= 500) request.log.error({ err: error }, "a tool failed");
        recordRefusedUse(parts, request, error);
      };
      const wanted = wantedTools(request.query.tools);
      // Loaded with the first message: the protocol's package takes long to load.
      const { serveMessage } = await import("./protocol.ts");
      const answer = await serveMessage(request, message, {
        services,
        caller,
        signal: responseClosed(reply),
        wanted,
        toolArguments,
        onError,
      });
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
      errors: [{ path: "?tools", message }],
    });
  });
}

/** Agents see results of tools, but not always why a request failed (AGT-4). */
const resultMessage = (id: string | number, error: ApiError): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: errorResult(error) });
