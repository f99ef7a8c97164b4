import { type Fault, type Problem, type ProblemCode, problems } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../model/api-error.ts";

/** The problem document of a code (RFC 9457, section 3). */
export function problemDocument(
  code: ProblemCode,
  detail: string,
  requestId: string,
  faults: readonly Fault[] = [],
): Problem {
  const { status, title } = problems[code];
  const document: Problem = {
    type: `urn:clew:problem:${code}`,
    title,
    status,
    code,
    detail,
    request_id: requestId,
  };
  if (faults.length > 0) document.errors = [...faults];
  return document;
}

/** Answers a request with the problem that a refusal names. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: ApiError): FastifyReply {
  return reply
    .code(problems[refusal.code].status)
    .headers(refusal.headers)
    .type("application/problem+json")
    .serializer(JSON.stringify)
    .send(problemDocument(refusal.code, refusal.message, request.id, refusal.faults));
}
