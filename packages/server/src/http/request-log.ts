import type { FastifyInstance } from "fastify";

/**
 * One line per answer, without the query, headers and bodies: those hold codes, states, tokens and what people
 * look for. The path is logged as its route has it, so that ids of pages stay out as well.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "answered",
    );
    done();
  });
}
