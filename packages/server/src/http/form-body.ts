import type { FastifyInstance, FastifyRequest } from "fastify";

/** Makes the routes of a scope read forms of HTML pages, and no other bodies. */
export function registerFormBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
}

/** The submitted form; empty for a request without a body. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}
