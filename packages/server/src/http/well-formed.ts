import type { FastifyInstance } from "fastify";
import { ApiError } from "../model/api-error.ts";

/** A host and maybe a port, as a URL has them (RFC 3986, section 3.2); it may be empty. */
const hostAndPort = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/**
 * Refuses what HTTP itself does not allow and Node would let through, or answer without a problem document: another
 * number of `Host` headers than one, a target that is no path, an expectation other than `100-continue`.
 */
export function registerWellFormedRequests(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length;
    // HTTP/1.0 knows no Host (RFC 9112, section 3.2).
    if (hosts > 1 || (hosts === 0 && raw.httpVersion !== "1.0"))
      throw new ApiError("invalid_request", "A request has one Host header.");
    if (!hostAndPort.test(raw.headers.host ?? ""))
      throw new ApiError("invalid_request", "The Host header must be a host, and a port where there is one.");
    // An absolute target is for proxies, and who is asked for by it may be somebody else.
    if (!raw.url?.startsWith("/"))
      throw new ApiError(
        "invalid_request",
        "The target of a request must be a path that begins with a slash.",
      );
    if (!/^(?:100-continue)?$/i.test(raw.headers.expect ?? ""))
      throw new ApiError("expectation_failed", "The only expectation that is met is 100-continue.");
    done();
  });
  // Node would answer this itself, before any hook.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
}
