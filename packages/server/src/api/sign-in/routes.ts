import { noQuery, ref, SignInStatus } from "@clew/contract";
import { parseCookie } from "cookie";
import { optionalSession } from "../../auth/gate.ts";
import { beginSignIn } from "../../auth/sign-in/attempt.ts";
import { limitSignIn } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import type { Connection } from "../../model/connection.ts";
import { presentSignInStatus } from "../../present/workspace.ts";
import { codeRoutes } from "./code.ts";
import { finish, redirect, redirectFailure, requestIn, type SourceRouteServices } from "./redirect.ts";

/** `/api/integrations/auth/provider`: signing in through a source (SIGN-1 to SIGN-7). */
export async function signInRoutes(app: App, services: SourceRouteServices): Promise<void> {
  const { config, sources, source, sessions, limits } = services;
  const shown = source === null ? sources.all : ([source] as const);
  const step = {
    config: { access: { kind: "open", limit: "own" } },
    onRequest: limitSignIn(limits),
    errorHandler: redirectFailure(config),
  } as const;

  app.get("/", step, async (request, reply) => {
    const begun = source ?? sources.first;
    // Without a consent screen, a link on another site would be enough to sign a person in.
    if (begun.folder != null && !begun.asksForCode && request.headers["sec-fetch-site"] === "cross-site")
      return redirect(reply, { location: config.dashboardUrl.href, cookies: [] });
    return redirect(
      reply,
      await beginSignIn(services, {
        source: begun,
        cookies: parseCookie(request.headers.cookie ?? ""),
        request: requestIn(request),
      }),
    );
  });

  app.get(
    "/callback",
    {
      ...step,
      // HEAD must be safe (RFC 9110, section 9.2.1), and this would consume the state.
      exposeHeadRoute: false,
    },
    (request, reply) => finish(services, { source, query: request.query }, request, reply),
  );

  if (shown.some(({ asksForCode }) => asksForCode))
    await app.register((scope) => codeRoutes(scope, services));

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
      const isShown = (connection: Connection) => source === null || connection.provider === source.slug;
      return presentSignInStatus(shown, caller?.connections.filter(isShown) ?? null);
    },
  );
}
