import type { FastifyRequest } from "fastify";
import type { Origin } from "../model/author.ts";

/** Characters of a `User-Agent` that are kept. */
const userAgentLength = 512;

/** Where a request came from. */
export function originOf({ ip, headers }: Pick<FastifyRequest, "ip" | "headers">): Origin {
  return { address: ip, userAgent: headers["user-agent"]?.slice(0, userAgentLength) ?? null };
}
