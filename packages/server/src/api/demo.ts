import type { FastifyReply, FastifyRequest } from "fastify";
import { formOf, registerFormBody } from "../http/form-body.ts";
import type { App } from "../http/server.ts";
import { ApiError } from "../model/api-error.ts";

/** The pages of the demo workspace for browsers. */
export interface DemoSite {
  /** The consent screen for the query of an authorization request. */
  consentScreen(query: unknown): Promise<DemoAnswer>;
  /** Handles the submitted form of that screen. */
  submitConsent(form: URLSearchParams): Promise<DemoAnswer>;
  /** A page, for a browser whose `Cookie` header shows that it has signed in; otherwise a 403. */
  page(id: string, cookies: string | undefined): Promise<DemoAnswer>;
  style(): Promise<DemoAnswer>;
}

interface DemoAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const open = { schema: { hide: true }, config: { access: { kind: "open" } } } as const;

/**
 * `/demo`: the consent screen and the pages of the demo workspace for browsers (SIGN-11). Its API is not exposed: Clew
 * calls it inside the process.
 */
export async function demoRoutes(app: App, site: DemoSite): Promise<void> {
  registerFormBody(app);

  app.get("/site.css", open, async (request, reply) => answer(request, reply, await site.style()));

  app.get<{ Params: { id: string } }>("/pages/:id", open, async (request, reply) =>
    answer(request, reply, await site.page(request.params.id, request.headers.cookie)),
  );

  app.get("/v1/oauth/authorize", open, async (request, reply) =>
    answer(request, reply, await site.consentScreen(request.query)),
  );

  app.post("/v1/oauth/authorize", open, async (request, reply) =>
    answer(request, reply, await site.submitConsent(formOf(request))),
  );
}

/** Browsers get errors as a page, programs as a problem document (ERR-1). */
function answer(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: DemoAnswer) {
  const isForPerson = request.headers.accept?.includes("text/html") ?? false;
  if (status === 404 && !isForPerson) throw new ApiError("not_found", "There is no page at this address.");
  if (status === 403 && !isForPerson)
    throw new ApiError(
      "workspace_not_allowed",
      "Pages of the demo workspace are shown only in browsers that signed in there. Sign in first.",
    );
  if (status >= 400 && !isForPerson)
    throw new ApiError("invalid_request", "This is not a valid sign-in request at the demo workspace.");
  return reply.code(status).headers(headers).send(body);
}
