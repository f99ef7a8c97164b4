import { noQuery, ref, SignInStatus } from "@clew/contract";
import { parseCookie } from "cookie";
import { optionalSession } from "../../auth/gate.ts";
import { beginSignIn } from "../../auth/sign-in/attempt.ts";
import { limitSignIn } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import { presentSignInStatus } from "../../present/workspace.ts";
import { codeRoutes } from "./code.ts";
import { finish, redirect, redirectFailure, requestIn, type SignInRouteServices } from "./redirect.ts";

/** `/api/integrations/auth/provider`: signing in through the workspace's provider (SIGN-1 to SIGN-7). */
export async function signInRoutes(app: App, services: SignInRouteServices): Promise<void> {
  const { config, provider, sessions, limits } = services;
  const step = {
    config: { access: { kind: "open", limit: "own" } },
    onRequest: limitSignIn(limits),
    errorHandler: redirectFailure(config),
  } as const;

  app.get("/", step, async (request, reply) =>
    redirect(
      reply,
      await beginSignIn(services, {
        cookies: parseCookie(request.headers.cookie ?? ""),
        request: requestIn(request),
      }),
    ),
  );

  app.get(
    "/callback",
    {
      ...step,
      // HEAD must be safe (RFC 9110, section 9.2.1), and this would consume the state.
      exposeHeadRoute: false,
    },
    (request, reply) => finish(services, request.query, request, reply),
  );

  if (provider.asksForCode) await app.register((scope) => codeRoutes(scope, services));

  app.get(
    "/status",
    {
      config: { access: { kind: "open" } },
      schema: {
        querystring: noQuery,
        response: { 200: ref(SignInStatus) },
      },
    },
    async (request) => {
      const caller = await optionalSession(request, sessions);
      return presentSignInStatus(provider, caller?.connections ?? null);
    },
  );
}
