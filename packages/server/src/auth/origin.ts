import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Origin } from "../model/caller.ts";

/** Characters of a `User-Agent` that are kept. */
const userAgentLength = 512;

/** Where a request came from. A proxy may pass on as an address what is none: that is not kept. */
export function originOf({ ip, headers }: Pick<FastifyRequest, "ip" | "headers">): Origin {
  return {
    address: isIP(ip) === 0 ? null : ip,
    userAgent: headers["user-agent"]?.slice(0, userAgentLength) ?? null,
  };
}
