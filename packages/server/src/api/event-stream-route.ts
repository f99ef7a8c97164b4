import type { Readable } from "node:stream";
import { noQuery } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import { eventStreamHeaders } from "../http/response-headers.ts";
import { streamLifetimeMs } from "./event-streams.ts";
import { sessionRoute } from "./session-route.ts";

/**
 * Options of a route for sessions that answers with server-sent events, each with this message as its data. HEAD needs a route of its
 * own: it opens no stream. Clients read the events with fetch, because `EventSource` cannot send the credential's header.
 */
export function eventStreamRoute<const Params extends TSchema>(params: Params, event: TSchema) {
  const events = { schema: Type.Unsafe<Readable>(event) };
  const response = {
    200: {
      description: "Server-sent events, each with this object as data",
      content: { "text/event-stream": events },
    },
  };
  return {
    ...sessionRoute({ params, querystring: noQuery, response }),
    exposeHeadRoute: false,
    // The default would end the whole response after seconds.
    handlerTimeout: streamLifetimeMs + 60_000,
  };
}

/** Sends a stream of events, and logs how long it was open. */
export function sendEvents<Reply extends Pick<FastifyReply, "elapsedTime" | "headers" | "send">>(
  request: Pick<FastifyRequest, "log">,
  reply: Reply,
  body: Readable,
) {
  body.once("close", () => request.log.info({ ms: Math.round(reply.elapsedTime) }, "event stream ended"));
  return reply.headers(eventStreamHeaders).send(body);
}
