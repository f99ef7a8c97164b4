import type { FastifyRequest } from "fastify";
import { originOf } from "../../auth/origin.ts";
import { isSignInCode } from "../../auth/sign-in/code.ts";
import { codeUrl } from "../../auth/sign-in/code-url.ts";
import { parseCookies } from "../../auth/sign-in/cookies.ts";
import { SignInFailure } from "../../auth/sign-in/failure.ts";
import { type FinishParts, finishSignIn } from "../../auth/sign-in/finish.ts";
import { isSecret } from "../../auth/sign-in/state.ts";
import { type Limits, limitSignIn } from "../../http/limits/limits.ts";
import type { App } from "../../http/server.ts";
import { sendCodePage } from "./code-page.ts";
import { redirectFailure } from "./failure-redirect.ts";
import { providerPatience, redirect } from "./redirect.ts";

interface Parts extends Omit<FinishParts, "log"> {
  readonly limits: Pick<Limits, "signIn">;
}

/**
 * `/code`: where a sign-in asks for a one-time code in place of the provider's consent (SIGN-12). A right code finishes
 * the sign-in as the callback does, in the browser that began it alone; a wrong one can be corrected.
 */
export async function codeRoutes(app: App, parts: Parts): Promise<void> {
  const { config, limits } = parts;
  const errorHandler = redirectFailure(config.dashboardUrl);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(body.toString()),
  );

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
      const { body, headers, log } = request;
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      const state = requireState(form.get("state"));
      const code = form.get("code") ?? "";
      if (!(await isSignInCode(parts, code))) {
        const again = new URLSearchParams({ state, again: "1" });
        return redirect(reply, { location: `${codeUrl(config.publicUrl)}?${again}`, cookies: [] });
      }
      const cookies = parseCookies(headers.cookie);
      const callback = { query: { state, code }, cookies, origin: originOf(request) };
      const signal = AbortSignal.timeout(providerPatience);
      return redirect(reply, await finishSignIn({ ...parts, log }, callback, signal));
    },
  );
}

function requireState(value: unknown): string {
  if (typeof value === "string" && isSecret(value)) return value;
  throw new SignInFailure("invalid_state");
}
