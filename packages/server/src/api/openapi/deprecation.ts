import type { Deprecation, Documentation } from "@clew/contract";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Set for routes of deprecated operations, from the contract. */
    deprecation?: Deprecation;
  }
}

/**
 * Makes every response of a deprecated operation say so, errors too: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
 * Register it before any route, and before the gate. `documentedAt` finds what the contract says of a route.
 */
export function registerDeprecations(
  app: FastifyInstance,
  documentedAt: (method: string, url: string) => Documentation | undefined,
): void {
  app.addHook("onRoute", (route) => {
    const [method = ""] = [route.method].flat();
    const deprecation = documentedAt(method === "HEAD" ? "GET" : method, route.url)?.deprecation;
    if (deprecation !== undefined) route.config = { ...route.config, deprecation };
  });
  app.addHook("onRequest", (request, reply, done) => {
    const { deprecation } = request.routeOptions.config;
    if (deprecation !== undefined) reply.headers(deprecationHeaders(deprecation));
    done();
  });
}

function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  const deprecation = { deprecation: `@${Date.parse(since) / 1000}` };
  return sunset === undefined ? deprecation : { ...deprecation, sunset: new Date(sunset).toUTCString() };
}
