import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../model/api-error.ts";
import { negotiate } from "./content-negotiation.ts";

/** A page for browsers. */
export interface HtmlPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const problem = "application/problem+json";

/** Whether a request is a browser's for a path that does not exist: people get a page, all others a problem document. */
export function wantsNotFoundPage(request: FastifyRequest, { code }: ApiError): boolean {
  const { accept } = request.headers;
  return (
    request.is404 &&
    code === "not_found" &&
    (request.method === "GET" || request.method === "HEAD") &&
    negotiate(accept, [problem, "text/html"]) === "text/html"
  );
}

export function sendNotFoundPage(reply: FastifyReply, { headers, body }: HtmlPage): FastifyReply {
  return reply.code(404).headers(headers).send(body);
}
