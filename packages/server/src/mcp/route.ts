import type { IncomingHttpHeaders } from "node:http";
import { closed, Problem, problems, ref, ToolMessage } from "@clew/contract";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { Type } from "typebox";
import { type RefusedUseServices, recordRefusedUse, requireServiceToken } from "../auth/gate.ts";
import type { App } from "../http/server.ts";
import type { ApiError } from "../model/api-error.ts";
import type { QueryServices } from "../operations/request-context.ts";
import { serverFor } from "./server.ts";

/** The protocol's message, serialised by its own package. */
const Answer = Type.Unsafe<string>(Type.Object({}, { additionalProperties: true }));

/**
 * `POST /api/v1/mcp`: the graph's operations as tools for agents, over the Model Context Protocol's streamable HTTP
 * (revision 2026-07-28, and those of 2025 without sessions). Requests are independent: caller,
 * scopes and limits are checked as for any other request to V1.
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
      },
      schema: {
        querystring: closed({}),
        body: ref(ToolMessage),
        response: { 200: Answer, default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const reader = requireServiceToken(request);
      const onRefusal = (refusal: ApiError) => {
        if (problems[refusal.code].status >= 500) request.log.error({ err: refusal }, "a tool failed");
        recordRefusedUse(parts, request, refusal);
      };
      const calledTool = request.body.method === "tools/call" ? request.body.params?.name : undefined;
      const handler = createMcpHandler(() => serverFor({ services, reader, onRefusal, calledTool }), {
        // Clew sends nothing on its own.
        maxSubscriptions: 0,
      });
      const { method, headers, body: parsedBody } = request;
      const url = new URL(request.url, "http://this.host");
      const asked = new Request(url, { method, headers: headersOf(headers) });
      const answer = await handler.fetch(asked, { parsedBody });
      const mediaType = answer.headers.get("content-type");
      if (mediaType !== null) reply.type(mediaType);
      return reply.code(answer.status).send(await answer.text());
    },
  );
}

/** The headers that the protocol reads, without credentials: the caller is authenticated already. */
function headersOf(headers: IncomingHttpHeaders): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && /^(?:accept|content-type|mcp-.*)$/.test(name)) read.set(name, String(value));
  }
  return read;
}
