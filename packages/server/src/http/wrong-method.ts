import type { IncomingMessage } from "node:http";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import { ApiError } from "../model/api-error.ts";
import { sendProblem } from "./problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Whether the path's other methods need the same credentials before they are refused; by default they need none.
     */
    credentialsBeforeMethod?: boolean;
  }
}

/** The methods that have routes. */
const routed = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

/** The method of a request that is routed as another one. */
const methods = new WeakMap<IncomingMessage, string>();

/**
 * Routes methods that no resource has as TRACE, which none has either: each method that the router knows costs a route for
 * every path. Passed to Fastify as `rewriteUrl`; `restoreMethod` undoes it after routing.
 */
export function routeRareMethods(request: IncomingMessage): string {
  const { method = "GET", url = "/" } = request;
  if (!routed.includes(method)) {
    methods.set(request, method);
    request.method = "TRACE";
  }
  return url;
}

/** Gives a request that has been routed its own method again. */
export function restoreMethod(request: IncomingMessage): void {
  const method = methods.get(request);
  if (method !== undefined) request.method = method;
}

/**
 * Records the methods of each path. Call the returned function after all routes are registered: it
 * makes every other method on those paths answer 405 with `Allow` (RFC 9110, section 15.5.6).
 * An unknown path stays 404.
 */
export function registerWrongMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  const guards = new Map<string, FastifyContextConfig>();
  const anyOrigin = new Set<string>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const path = url.length > 1 && url.endsWith("/") ? url.slice(0, -1) : url;
    const methods = methodsOf.get(path) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsOf.set(path, methods);
    if (config?.credentialsBeforeMethod) guards.set(path, config);
    if (config?.anyOrigin) anyOrigin.add(path);
  });
  return () => {
    for (const [url, known] of [...methodsOf]) {
      const allow = [...known, "OPTIONS"].toSorted().join(", ");
      const others = routed.filter((method) => !known.has(method) && method !== "OPTIONS");
      const cors = anyOrigin.has(url) ? { anyOrigin: true } : {};
      app.route({
        method: others,
        url,
        exposeHeadRoute: false,
        schema: { hide: true },
        config: { ...(guards.get(url) ?? { access: { kind: "open" } }), ...cors },
        // Before the body is read, so that a refusal costs little.
        onRequest: (request, reply) => {
          const detail = `This path supports only ${allow}.`;
          sendProblem(request, reply, new ApiError("method_not_allowed", detail, { headers: { allow } }));
        },
        handler: () => {},
      });
      app.route({
        method: "OPTIONS",
        url,
        schema: { hide: true },
        config: { access: { kind: "open" }, ...cors },
        handler: (_request, reply) => reply.code(204).header("allow", allow).send(),
      });
    }
  };
}
