import type { FastifyRequest } from "fastify";
import type { Author } from "../model/author.ts";
import { requireSession } from "./gate.ts";
import { originOf } from "./origin.ts";

/** Who does what a route for sessions was called for. */
export function authorOf(request: FastifyRequest): Author {
  const { userId, sessionId } = requireSession(request);
  return { userId, sessionId, ...originOf(request) };
}
