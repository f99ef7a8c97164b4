import assert from "node:assert/strict";
import { METHODS } from "node:http";
import type { RouteOptions } from "fastify";
import type { App } from "../../packages/server/src/http/server.ts";
import type { Send } from "../support/raw-request.ts";

/** Methods of requests. CONNECT is left out, because Node does not respond to it. */
export const methods = METHODS.filter((method) => method !== "CONNECT");

/** Collects every route of a server. */
export interface RouteCollector {
  /** Must receive the server before anything is registered on it. */
  watch(server: App): void;
  /** Every path as registered (`/api/tokens/:id`), without a trailing slash. */
  patterns(): string[];
  /** The registered route for a method and path. */
  registered(method: string, pattern: string): RouteOptions;
  /** The schemas of all requests to a path. */
  schemas(pattern: string): { body: unknown; query: unknown }[];
}

/** `plant` is called for each registered route and may add further routes for a test. */
export function collectRoutes(plant: (scope: App, route: RouteOptions) => void = () => {}): RouteCollector {
  const byPattern = new Map<string, RouteOptions[]>();
  return {
    watch(server) {
      server.addHook("onRoute", function remember(this: App, route) {
        const pattern = route.url.length > 1 ? route.url.replace(/\/$/, "") : route.url;
        byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), route]);
        plant(this, route);
      });
    },
    patterns: () => [...byPattern.keys()],
    schemas: (pattern) =>
      (byPattern.get(pattern) ?? []).map(({ schema }) => ({
        body: schema?.body,
        query: schema?.querystring,
      })),
    registered(method, pattern) {
      const route = byPattern.get(pattern)?.find((each) => [each.method].flat().includes(method));
      assert.ok(route, `nothing was registered for ${method} ${pattern}`);
      return route;
    },
  };
}

/**
 * A path for a pattern, with the id of an existing node or workspace for routes that read it, and an unknown id otherwise: no
 * workspace is disconnected.
 */
export function pathOf(pattern: string, nodeId: string, workspaceId: string): string {
  return pattern
    .replace(/(?<=\/nodes\/):id/, nodeId)
    .replace(/(?<=\/workspaces\/):id(?=\/map)/, workspaceId)
    .replaceAll(/:[^/]+/g, "999999999");
}

/** The methods in the `Allow` header of a path. */
export async function allowedMethods(send: Send, path: string): Promise<string[]> {
  const answer = await send({ method: "OPTIONS", path });
  assert.equal(answer.status, 204, `OPTIONS ${path}`);
  return String(answer.headers.allow).split(", ");
}
