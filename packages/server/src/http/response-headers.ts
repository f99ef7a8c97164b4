import type { FastifyInstance } from "fastify";

/** Headers that every answer carries, and those of an API answer where its route says nothing else (ERR-6). */
export function registerResponseHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
      vary: "Authorization, Accept",
    });
  });
}
