import { type GraphOperation, graphOperations, type Operation } from "@clew/contract";
import type { FastifyRequest } from "fastify";
import { type Access, requireServiceToken, requireSession } from "../../auth/gate.ts";
import type { Reader } from "../../graph-cache/readable.ts";
import type { Audience, QueryServices, RequestContext } from "../../operations/request-context.ts";

/** Whom a door lets in to an operation. Only service tokens have scopes. */
export function accessThrough(audience: Audience, { scopes }: Pick<Operation, "scopes">): Access {
  return audience === "v1" ? { kind: "service-token", scopes } : { kind: "session" };
}

/** Path, access and summary of an operation, for the route that serves it behind a door. */
export function routeOf(audience: Audience, operation: GraphOperation) {
  const { path, summary } = graphOperations[operation];
  return { path, summary, config: { access: accessThrough(audience, graphOperations[operation]) } };
}

/** Who came through the door. */
function readerOf(audience: Audience, request: FastifyRequest): Reader {
  return audience === "v1" ? requireServiceToken(request) : requireSession(request);
}

/** What a request asks: its path and query tell it in full. */
export function contextOf(services: QueryServices, request: FastifyRequest): RequestContext {
  return { services, reader: readerOf(services.audience, request), cacheKey: request.url };
}
