import type { FastifyRequest } from "fastify";
import { ApiError } from "../model/api-error.ts";

/** A route's `onRequest` hook: refuses what pages of other sites send. Programs send no Origin. */
export function allowOnlyOrigin(own: string) {
  return async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (origin !== undefined && origin !== own)
      throw new ApiError("origin_not_allowed", `This can be sent only from a page at ${own}.`);
  };
}
