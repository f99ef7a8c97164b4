import type { FastifyInstance } from "fastify";

/** What a page may read of an answer besides its body and the headers that every page may. */
const answer = {
  "access-control-expose-headers": "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
};

/** What a page may send, and for how many seconds it need not ask again. */
const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Accept, If-None-Match, Last-Event-ID",
  "access-control-max-age": "600",
};

/**
 * Lets the pages of one origin read answers, without credentials of the browser's (ERR-6). That answers differ by
 * origin, their `Vary` says. https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function registerCors(app: FastifyInstance, origin: string): void {
  app.addHook("onRequest", ({ raw }, reply, done) => {
    if (raw.headers.origin === origin) {
      reply
        .header("access-control-allow-origin", origin)
        .headers(raw.method === "OPTIONS" ? preflight : answer);
    }
    done();
  });
}
