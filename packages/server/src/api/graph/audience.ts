import { type GraphOperation, graphOperations, type Operation } from "@clew/contract";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type Access, requireServiceToken, requireSession } from "../../auth/gate.ts";
import type { Audience, QueryServices, RequestContext } from "../../operations/request-context.ts";

/** Path, summary and required access of an operation, for its route. Only service tokens have scopes. */
export function routeOf(audience: Audience, operation: GraphOperation) {
  const { path, scopes, summary }: Operation = graphOperations[operation];
  const access: Access = audience === "v1" ? { kind: "service-token", scopes } : { kind: "session" };
  return { path, summary, config: { access } };
}

/** The services of an audience, and the caller of a request to one of its routes. */
export function contextOf(services: QueryServices, request: FastifyRequest): RequestContext {
  const reader = services.audience === "v1" ? requireServiceToken(request) : requireSession(request);
  return { services, reader };
}

/** The path parameters of operations on one node. */
export const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});
