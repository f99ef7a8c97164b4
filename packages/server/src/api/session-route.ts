import { noQuery } from "@clew/contract";
import type { FastifyContextConfig, FastifySchema } from "fastify";
import { Type } from "typebox";

/** Options of a route for sessions. `securityEvent` is logged when a request succeeds. */
export function sessionRoute<const Schema extends FastifySchema>(
  schema: Schema,
  securityEvent?: NonNullable<FastifyContextConfig["securityEvent"]>,
) {
  const access = { kind: "session" } as const;
  return {
    config: securityEvent === undefined ? { access } : { access, securityEvent },
    schema,
  };
}

/** The schema of a route that takes no parameters and answers 204. */
export const noContent = { querystring: noQuery, response: { 204: Type.Null() } } as const;
