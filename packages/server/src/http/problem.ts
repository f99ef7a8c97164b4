import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { type Problem, problems } from "@clew/contract";
import type { ConnectionError, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../model/api-error.ts";
import { responseHeaders } from "./response-headers.ts";
import { maxUrlBytes } from "./strict-requests.ts";

/** The problem document of a code (RFC 9457, section 3). */
function problemDocument({ code, message, errors }: ApiError, requestId: string): Problem {
  const { status, title } = problems[code];
  const document: Problem = {
    type: `urn:clew:problem:${code}`,
    title,
    status,
    code,
    detail: message,
    request_id: requestId,
  };
  if (errors.length > 0) document.errors = [...errors];
  return document;
}

/** Answers a request with the problem document of an error. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  return reply
    .code(problems[error.code].status)
    .headers(error.headers)
    .type("application/problem+json")
    .serializer(JSON.stringify)
    .send(problemDocument(error, request.id));
}

/**
 * Answers requests that Node cannot read: too slow, too large or not HTTP (LIM-3). Fastify never sees them, so the problem
 * document is written to the socket, and the connection ends.
 */
export function answerClientError(error: ConnectionError, socket: Socket, https: boolean): void {
  // A problem document would end up in the middle of a response that the client is still reading.
  if (error.code === "ECONNRESET" || !socket.writable || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const document = problemDocument(diagnose(error), requestId);
  const body = JSON.stringify(document);
  const headers = {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    ...responseHeaders(requestId, https),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${document.status} ${document.title}`, ...lines].join("\r\n");
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

function diagnose(error: ConnectionError): ApiError {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError("request_timeout", "The request did not arrive in time.");
    case "HPE_HEADER_OVERFLOW":
      return firstLineLength(error.rawPacket) > maxUrlBytes
        ? new ApiError("url_too_long", "The URL may have up to 8 KiB.")
        : new ApiError("headers_too_large", "The headers may have up to 16 KiB.");
    default:
      return new ApiError("invalid_request", "This is not a valid HTTP request.");
  }
}

/** The length of the request line as far as it arrived, in the packet that Node could not parse. */
function firstLineLength(packet: unknown): number {
  if (!Buffer.isBuffer(packet)) return 0;
  const end = packet.indexOf("\r\n");
  return end < 0 ? packet.length : end;
}
