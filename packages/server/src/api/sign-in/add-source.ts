import { AddedSource, noQuery, ref, SourceChoice } from "@clew/contract";
import { parseCookie } from "cookie";
import { actorOf } from "../../auth/gate.ts";
import { beginSignIn } from "../../auth/sign-in/attempt.ts";
import { limitSignIn } from "../../http/limits/rate-limits.ts";
import { allowOnlyOrigin } from "../../http/own-origin.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import { sessionRoute } from "../session-route.ts";
import type { SignInRouteServices } from "./redirect.ts";

/**
 * `POST /api/auth/sources/`: begins to add a source to the account of the session (SIGN-5). The answer has the address of the
 * source's consent, and a cookie without which no browser can come back from it: following the address in another one adds nothing.
 */
export async function addSourceRoute(app: App, services: SignInRouteServices): Promise<void> {
  const { config, sources, limits } = services;
  const route = sessionRoute({
    querystring: noQuery,
    body: ref(SourceChoice),
    response: { 201: ref(AddedSource) },
  });
  app.post(
    "/",
    { ...route, onRequest: [allowOnlyOrigin(config.publicUrl.origin), limitSignIn(limits)] },
    async (request, reply) => {
      const source = sources.find(request.body.provider);
      if (source === null) throw new ApiError("not_found", "There is no source of this name.");
      const { userId, sessionId } = actorOf(request);
      const { location, cookies } = await beginSignIn(services, {
        source,
        cookies: parseCookie(request.headers.cookie ?? ""),
        adding: { userId, sessionId },
      });
      return reply
        .code(201)
        .headers({ "cache-control": "no-store", "set-cookie": [...cookies] })
        .send({ url: location });
    },
  );
}
