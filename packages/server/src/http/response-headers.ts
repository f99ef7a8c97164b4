import type { FastifyInstance, FastifyRequest } from "fastify";

/** Headers that every answer carries, and those of an API answer where its route says nothing else (ERR-6). */
export function responseHeaders({ id }: Pick<FastifyRequest, "id">): Record<string, string> {
  return {
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
    vary: "Authorization, Accept, Origin",
  };
}

export function registerResponseHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(responseHeaders(request));
    done();
  });
}
