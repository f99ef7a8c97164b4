import { type GraphOperation, graphOperations, type Operation } from "@clew/contract";
import type { FastifyRequest } from "fastify";
import { type Access, requireServiceToken, requireSession } from "../../auth/gate.ts";
import type { Asking, Door, Reading } from "../../operations/asking.ts";
import type { Reader } from "../../publication/readable.ts";

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
function readerOf(door: Door, request: FastifyRequest): Reader {
  return door === "v1" ? requireServiceToken(request) : requireSession(request);
}

/** What a request asks: its path and query tell it in full. */
export function askingOf(reading: Reading, request: FastifyRequest): Asking {
  return { reading, reader: readerOf(reading.door, request), words: request.url };
}
