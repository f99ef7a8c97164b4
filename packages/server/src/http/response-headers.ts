import type { FastifyInstance } from "fastify";

/** The headers of every response, and the defaults for API responses (ERR-6). Sets HSTS if browsers use https. */
export function responseHeaders(requestId: string, https: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    // Does not affect CORS, through which the dashboard's pages read responses.
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
    vary: "Authorization, Accept, Origin",
  };
  if (https) headers["strict-transport-security"] = "max-age=31536000";
  return headers;
}

/** The headers of an event stream. Proxies that know the second do not hold it back. */
export const eventStreamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "x-accel-buffering": "no",
} as const;

/** Headers that pages of the dashboard's origin may read, besides those that CORS always allows. */
const corsHeaders = {
  "access-control-expose-headers":
    "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Truncated",
};

/** Requests that such a page may send, and for how many seconds the browser may cache that. */
const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Accept, If-None-Match, Last-Event-ID",
  "access-control-max-age": "600",
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether pages of every origin may read the route's responses, without the browser's credentials. */
    anyOrigin?: boolean;
  }
}

/** Requests that a page of any origin may send to such a route. */
const anyPreflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST",
  "access-control-allow-headers": "Authorization, Content-Type, Accept, MCP-Protocol-Version",
  "access-control-max-age": "600",
};

/**
 * Sets the headers of every response. Pages of one origin, the dashboard's, may read responses, without the browser's
 * credentials (ERR-6); some routes are open to pages of all origins. https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function registerResponseHeaders(
  app: FastifyInstance,
  { https, dashboardOrigin }: { readonly https: boolean; readonly dashboardOrigin: string },
): void {
  app.addHook("onRequest", ({ id, raw, routeOptions }, reply, done) => {
    reply.headers(responseHeaders(id, https));
    if (routeOptions.config?.anyOrigin) {
      reply.header("access-control-allow-origin", "*");
      if (raw.method === "OPTIONS") reply.headers(anyPreflightHeaders);
    } else if (raw.headers.origin === dashboardOrigin) {
      reply
        .header("access-control-allow-origin", dashboardOrigin)
        .headers(raw.method === "OPTIONS" ? preflightHeaders : corsHeaders);
    }
    done();
  });
}
