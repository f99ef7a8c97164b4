import type { FastifyRequest } from "fastify";
import type { Actor } from "../model/caller.ts";
import { requireSession } from "./gate.ts";
import { originOf } from "./origin.ts";

/** Who does what a route for sessions was called for. */
export function actorOf(request: FastifyRequest): Actor {
  const { userId, sessionId } = requireSession(request);
  return { userId, sessionId, ...originOf(request) };
}
