import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { type ProblemCode, problems } from "@clew/contract";
import type { ConnectionError } from "fastify";
import { problemDocument } from "./problem.ts";
import { type HeaderOptions, responseHeaders } from "./response-headers.ts";
import { maximumUrl } from "./size-limits.ts";

/**
 * Answers what is not a request that Node can read: too slow, too large or not HTTP (LIM-3).
 * Fastify never sees these, so the problem document goes straight to the socket, and the connection ends.
 */
export function answerClientError(error: ConnectionError, socket: Socket, options: HeaderOptions): void {
  // Behind an answer that is not taken yet, a problem would stand in the midst of it.
  if (error.code === "ECONNRESET" || !socket.writable || socket.writableLength > 0) {
    socket.destroy();
    return;
  }
  const [code, detail] = diagnose(error);
  const requestId = randomUUID();
  const body = JSON.stringify(problemDocument(code, detail, requestId));
  const { status, title } = problems[code];
  const headers = {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    ...responseHeaders(requestId, options),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${title}`, ...lines].join("\r\n");
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

function diagnose(error: ConnectionError): readonly [ProblemCode, string] {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["request_timeout", "The request did not arrive in time."];
    case "HPE_HEADER_OVERFLOW":
      return firstLineLength(error.rawPacket) > maximumUrl
        ? ["url_too_long", "The URL may have up to 8 KiB."]
        : ["headers_too_large", "The headers may have up to 16 KiB."];
    default:
      return ["invalid_request", "This is not a valid HTTP request."];
  }
}

/** How long the request line is, as far as it arrived; Node hands over the packet that it gave up on. */
function firstLineLength(packet: unknown): number {
  if (!Buffer.isBuffer(packet)) return 0;
  const end = packet.indexOf("\r\n");
  return end < 0 ? packet.length : end;
}
