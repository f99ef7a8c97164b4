import type { IncomingHttpHeaders } from "node:http";
import type { ToolMessage } from "@clew/contract";
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type McpRequest, serverFor } from "./server.ts";

/** The HTTP request that a message came with. */
interface HttpRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Serves one message in the revision that it is written in. Responses are JSON, since no tool sends progress before its
 * result.
 */
export async function serveMessage(
  { url, headers }: HttpRequest,
  parsedBody: ToolMessage,
  mcpRequest: McpRequest,
): Promise<Response> {
  const request = new Request(new URL(url, "http://this.host"), {
    method: "POST",
    headers: headersOf(headers),
  });
  const open = () => serverFor(mcpRequest);
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
