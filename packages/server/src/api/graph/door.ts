import { type GraphOperation, graphOperations, type Operation } from "@clew/contract";
import type { FastifyRequest } from "fastify";
import { type Access, requireServiceToken, requireSession } from "../../auth/gate.ts";
import type { Reader } from "../../publication/readable.ts";

/** The two ways to one graph: `/api/v1` with a service token, `/api/provider-graph` with a session. */
export type Door = "v1" | "session";

/** Whom a door lets in to an operation. Only service tokens have scopes. */
export function accessThrough(door: Door, { scopes }: Pick<Operation, "scopes">): Access {
  return door === "v1" ? { kind: "service-token", scopes } : { kind: "session" };
}

/** Path, access and summary of an operation, for the route that serves it behind a door. */
export function routeOf(door: Door, operation: GraphOperation) {
  const { path, summary } = graphOperations[operation];
  return { path, summary, config: { access: accessThrough(door, graphOperations[operation]) } };
}

/** Who came through the door. */
export function readerOf(door: Door, request: FastifyRequest): Reader {
  return door === "v1" ? requireServiceToken(request) : requireSession(request);
}
