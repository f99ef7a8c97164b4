import type { FastifyReply } from "fastify";
import { isState } from "../../auth/sign-in/attempt.ts";
import { codeMinutes, isSignInCode } from "../../auth/sign-in/code.ts";
import { codeUrl, SignInFailure } from "../../auth/sign-in/redirect.ts";
import type { Config } from "../../config/config.ts";
import { formOf, registerFormBody } from "../../http/form-body.ts";
import { limitSignIn } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import { finish, redirect, redirectFailure, type SignInRouteServices } from "./redirect.ts";

/**
 * `/code`: asks for a one-time code in place of the provider's consent screen (SIGN-12). A valid code finishes the sign-in
 * as the callback does, and only in the browser that began it. After a wrong code the person can try again.
 */
export async function codeRoutes(app: App, services: SignInRouteServices): Promise<void> {
  const { config, limits } = services;
  const errorHandler = redirectFailure(config.dashboardUrl);
  registerFormBody(app);

  app.get<{ Querystring: { state?: unknown; again?: unknown } }>(
    "/code",
    { config: { access: { kind: "open" } }, errorHandler, schema: { hide: true } },
    async ({ query }, reply) =>
      sendCodePage(reply, config, { state: requireState(query.state), again: query.again !== undefined }),
  );

  app.post(
    "/code",
    {
      config: { access: { kind: "open", limit: "own" } },
      onRequest: limitSignIn(limits),
      errorHandler,
      schema: { hide: true },
    },
    async (request, reply) => {
      const form = formOf(request);
      const state = requireState(form.get("state"));
      const code = form.get("code") ?? "";
      if (!(await isSignInCode(services, code))) {
        const again = new URLSearchParams({ state, again: "1" });
        return redirect(reply, { location: `${codeUrl(config.publicUrl)}?${again}`, cookies: [] });
      }
      return finish(services, { state, code }, request, reply);
    },
  );
}

function requireState(value: unknown): string {
  if (typeof value === "string" && isState(value)) return value;
  throw new SignInFailure("invalid_state");
}

interface CodeForm {
  /** The sign-in's state. Its characters need no escaping in HTML. */
  readonly state: string;
  /** Whether the last code was wrong. */
  readonly again: boolean;
}

/** Answers with Clew's own page that replaces Notion's consent screen (SIGN-12). */
function sendCodePage(
  reply: FastifyReply,
  { publicUrl, dashboardUrl }: Pick<Config, "publicUrl" | "dashboardUrl">,
  form: CodeForm,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    // Browsers apply this to every redirect that follows the form.
    `form-action 'self' ${dashboardUrl.origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    })
    .send(codePage(publicUrl.pathname.replace(/\/$/, ""), form));
}

function codePage(basePath: string, { state, again }: CodeForm): string {
  const notice = again
    ? '<p class="notice" role="alert">That code is wrong, has been used already, or has expired.</p>'
    : "";
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Sign in to Clew</title>
  <link rel="stylesheet" href="${basePath}/dashboard/style.css">
  <link rel="icon" href="${basePath}/dashboard/clew.svg">
</head>
<body>
  <main>
    <section class="card hero">
      <h1>Enter the sign-in code</h1>
      ${notice}
      <p>This Clew reads one Notion workspace with a token that its operator set. Entering the code signs you in as the
        owner of that token.</p>
      <p>Clew printed a code in its terminal when it started. To print another one, run <code>clew sign-in-code</code> on
        the machine that Clew runs on. A code works once, for ${codeMinutes} minutes.</p>
      <form class="sign-in-code" method="post" action="${basePath}/api/integrations/auth/provider/code">
        <input type="hidden" name="state" value="${state}">
        <p><label>Code <input name="code" required autocomplete="one-time-code" autofocus spellcheck="false"></label></p>
        <p><button class="primary">Sign in</button></p>
      </form>
    </section>
  </main>
</body>
</html>
`;
}
