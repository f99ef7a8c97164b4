import type { FastifyInstance } from "fastify";

/** What is true of every answer of a server. */
export interface HeaderOptions {
  /** Whether browsers reach Clew over https: then they are told to use nothing else. */
  readonly https: boolean;
}

/** Headers that every answer carries, and those of an API answer where its route says nothing else (ERR-6). */
export function responseHeaders(requestId: string, { https }: HeaderOptions): Record<string, string> {
  return {
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    // Pages of the dashboard's origin read answers through CORS, which this does not hold up.
    "cross-origin-resource-policy": "same-origin",
    ...(https ? { "strict-transport-security": "max-age=31536000" } : {}),
    "cache-control": "private, no-store",
    vary: "Authorization, Accept, Origin",
  };
}

export function registerResponseHeaders(app: FastifyInstance, options: HeaderOptions): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(responseHeaders(request.id, options));
    done();
  });
}
