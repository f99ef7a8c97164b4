import type { FastifyReply } from "fastify";
import { isState } from "../../auth/sign-in/attempt.ts";
import { codeMinutes, isSignInCode } from "../../auth/sign-in/code.ts";
import { codeUrl, SignInFailure } from "../../auth/sign-in/redirect.ts";
import type { Config } from "../../config/config.ts";
import { formOf, registerFormBody } from "../../http/form-body.ts";
import { limitSignIn } from "../../http/limits/rate-limits.ts";
import { allowOnlyOrigin } from "../../http/own-origin.ts";
import type { App } from "../../http/server.ts";
import { readPage } from "../dashboard.ts";
import { finish, redirect, redirectFailure, type SourceRouteServices } from "./redirect.ts";

/**
 * `/code`: asks for a one-time code in place of the provider's consent screen (SIGN-12). A valid code finishes the sign-in
 * as the callback does, and only in the browser that began it. After a wrong code the person can try again.
 */
export async function codeRoutes(app: App, services: SourceRouteServices): Promise<void> {
  const { config, limits } = services;
  const errorHandler = redirectFailure(config);
  const page = await readPage(config, "sign-in-code.html");
  registerFormBody(app);

  app.get<{ Querystring: { state?: unknown; again?: unknown } }>(
    "/code",
    { config: { access: { kind: "open" } }, errorHandler, schema: { hide: true } },
    async ({ query }, reply) =>
      sendCodePage(reply, config, fill(page, requireState(query.state), query.again !== undefined)),
  );

  app.post(
    "/code",
    {
      config: { access: { kind: "open", limit: "own" } },
      onRequest: [limitSignIn(limits), allowOnlyOrigin(config.publicUrl.origin)],
      errorHandler,
      schema: { hide: true },
    },
    async (request, reply) => {
      const form = formOf(request);
      const state = requireState(onlyValue(form, "state"));
      const code = onlyValue(form, "code") ?? "";
      if (!(await isSignInCode(services, code))) {
        const again = new URLSearchParams({ state, again: "1" });
        return redirect(reply, { location: `${codeUrl(config.publicUrl)}?${again}`, cookies: [] });
      }
      return finish(services, { source: services.source, query: { state, code } }, request, reply);
    },
  );
}

/** The value of a form's field; null if it is missing. Two values are ambiguous. Throws `SignInFailure` `invalid_state`. */
function onlyValue(form: URLSearchParams, name: string): string | null {
  const [value = null, ...others] = form.getAll(name);
  if (others.length > 0) throw new SignInFailure("invalid_state");
  return value;
}

function requireState(value: unknown): string {
  if (typeof value === "string" && isState(value)) return value;
  throw new SignInFailure("invalid_state");
}

/** The page of the form. The characters of a state need no escaping in HTML. */
function fill(page: string, state: string, isAgain: boolean): string {
  const filled = page.replace("{state}", state).replace("{minutes}", String(codeMinutes));
  return isAgain ? filled.replace(/(?<=role="alert") hidden(?:="")?/, "") : filled;
}

/** Answers with Clew's own page that replaces the provider's consent screen (SIGN-12). */
function sendCodePage(
  reply: FastifyReply,
  { dashboardUrl }: Pick<Config, "dashboardUrl">,
  page: string,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    // Browsers apply this to every redirect that follows the form.
    `form-action 'self' ${dashboardUrl.origin}`,
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ];
  return reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "cache-control": "no-store",
      // With `no-referrer` browsers would send the form with `Origin: null`.
      "referrer-policy": "same-origin",
    })
    .send(page);
}
