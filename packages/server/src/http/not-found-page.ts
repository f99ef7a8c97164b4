import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../model/api-error.ts";
import { negotiate } from "./content-negotiation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether people get a page where the route has nothing, as they do for a path without a route. */
    hasPages?: boolean;
  }
}

/** A page for browsers. */
export interface HtmlPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const problem = "application/problem+json";

/** Whether a request is a browser's for a page that does not exist: people get a page, all others a problem document. */
export function wantsNotFoundPage(request: FastifyRequest, { code }: ApiError): boolean {
  const { accept } = request.headers;
  return (
    (request.is404 || request.routeOptions.config.hasPages === true) &&
    code === "not_found" &&
    (request.method === "GET" || request.method === "HEAD") &&
    negotiate(accept, [problem, "text/html"]) === "text/html"
  );
}

export function sendNotFoundPage(reply: FastifyReply, { headers, body }: HtmlPage): FastifyReply {
  return reply.code(404).headers(headers).send(body);
}
