import type { FastifyRequest } from "fastify";
import type { Grant } from "../oauth/grant.ts";

/** Whose token each request presented, as soon as that is known. */
export type Callers = WeakMap<FastifyRequest, Grant>;
