import type { FastifyReply } from "fastify";

/**
 * A signal that is aborted once the response is no longer needed: it was sent, or the client has gone. Fastify's
 * `request.signal` is aborted as soon as a body was read.
 */
export function responseClosed({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  raw.once("close", () => closed.abort());
  return closed.signal;
}
