import type { FastifyInstance } from "fastify";
import { ApiError } from "../model/api-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether pages of other origins are refused, whatever they present. */
    ownOriginsOnly?: boolean;
  }
}

/** Refuses requests that a page of a foreign origin sends to a route that is for Clew's own. Programs send no `Origin`. */
export function registerOwnOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook("onRequest", ({ raw, routeOptions }, _reply, done) => {
    const { origin } = raw.headers;
    if (routeOptions.config.ownOriginsOnly && origin !== undefined && !origins.includes(origin)) {
      throw new ApiError("origin_not_allowed", "Pages of this origin may not call this path.");
    }
    done();
  });
}
