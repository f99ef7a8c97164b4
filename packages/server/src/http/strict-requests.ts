import type { IncomingMessage } from "node:http";
import type { FieldError } from "@clew/contract";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../model/api-error.ts";
import type { CheckHost } from "./own-host.ts";

/** Bytes of a request body, URL and header section that are read at most (LIM-3). */
export const maxBodyBytes = 64 * 1024;
export const maxUrlBytes = 8 * 1024;
const maxHeaderBytes = 16 * 1024;

/** The limit in Node, which counts the request line and the headers together. */
export const maxHeadBytes = maxUrlBytes + maxHeaderBytes;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether pages of other origins are refused, whatever credentials they present. */
    ownOriginsOnly?: boolean;
  }
}

/** A host and perhaps a port, as in URLs (RFC 3986, section 3.2); it may be empty. */
const hostAndPort = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/**
 * Refuses requests that HTTP forbids but Node accepts, or would answer without a problem document, that are
 * too large, or that have no route. Runs before the body is read or credentials are checked (ERR-2).
 */
export function registerStrictRequests(
  app: FastifyInstance,
  { ownOrigins, checkHost }: { readonly ownOrigins: readonly string[]; readonly checkHost: CheckHost },
): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { raw, is404, routeOptions } = request;
    checkHeaders(raw);
    checkTarget(raw.url ?? "");
    if (is404) {
      checkHost(request);
      throw new ApiError("not_found", "This path does not exist.");
    }
    const { origin } = raw.headers;
    if (routeOptions.config.ownOriginsOnly && origin !== undefined && !ownOrigins.includes(origin))
      throw new ApiError("origin_not_allowed", "Pages of this origin may not call this path.");
    done();
  });
  // Node would answer this itself, before any hook.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  refuseInvalidEncoding(app);
}

function checkHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0;
  let bytes = 0;
  // Names and values by turns, each with `: ` or a line end after it.
  for (let index = 0; index < rawHeaders.length; index += 1) {
    const text = rawHeaders[index] ?? "";
    bytes += text.length + 2;
    if (index % 2 === 0 && text.length === 4 && text.toLowerCase() === "host") hosts += 1;
  }
  // HTTP/1.0 has no Host (RFC 9112, section 3.2).
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0"))
    throw new ApiError("invalid_request", "A request must have one Host header.");
  if (!hostAndPort.test(headers.host ?? ""))
    throw new ApiError("invalid_request", "The Host header must be a host and optionally a port.");
  if (!/^(?:100-continue)?$/i.test(headers.expect ?? ""))
    throw new ApiError("expectation_failed", "The only supported expectation is 100-continue.");
  if (bytes > maxHeaderBytes) throw new ApiError("headers_too_large", "The headers may have up to 16 KiB.");
}

function checkTarget(url: string): void {
  // Absolute targets are for proxies, and may name another host than this one.
  if (!url.startsWith("/"))
    throw new ApiError("invalid_request", "The target of a request must be a path that begins with a slash.");
  if (url.length > maxUrlBytes) throw new ApiError("url_too_long", "The URL may have up to 8 KiB.");
}

/**
 * Refuses a query whose percent-encoding is invalid or not UTF-8: its parser would treat the encoding itself as text.
 * Routes that declare no query read none.
 */
function refuseInvalidEncoding(app: FastifyInstance): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const url = request.raw.url ?? "";
    const query = url.indexOf("?") + 1;
    if (query === 0 || request.routeOptions.schema?.querystring === undefined) return done();
    const errors = url.slice(query).split("&").flatMap(encodingErrorOf);
    if (errors.length > 0) {
      throw new ApiError("invalid_request", "The URL contains an invalid percent-encoding.", { errors });
    }
    done();
  });
}

function encodingErrorOf(parameter: string): FieldError[] {
  if (decode(parameter) !== null) return [];
  const [name = ""] = parameter.split("=", 1);
  return [{ path: `?${decode(name) ?? name}`, message: "is not UTF-8 in percent-encoding" }];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
