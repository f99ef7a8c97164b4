import { AppApproval, AppDecision, AppRequest, noQuery, ref } from "@clew/contract";
import { parseCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  type AppRequestServices,
  approveRequest,
  type Decided,
  denyRequest,
  openRequest,
} from "../../auth/apps/requests.ts";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { originOf, writeSecurityEvent } from "../../auth/security-log.ts";
import { countPlaces } from "../../auth/service-tokens.ts";
import { allowOnlyOrigin } from "../../http/own-origin.ts";
import type { App } from "../../http/server.ts";
import { presentAppRequest } from "../../present/app-request.ts";
import { usableTokens } from "../../store/queries/service-tokens.ts";
import { sessionRoute } from "../session-route.ts";

/**
 * `/api/apps/requests`: a program's request to be connected, for the person in whose browser it was made (APP-4). The browser
 * proves it with a cookie, so these routes are for pages of PUBLIC_URL's origin alone.
 */
export async function appRequestRoutes(app: App, services: AppRequestServices): Promise<void> {
  const { config, database, clock } = services;
  app.addHook("onRequest", allowOnlyOrigin(config.publicUrl.origin));

  app.get(
    "/:id/",
    sessionRoute({ params: RequestPath, querystring: noQuery, response: { 200: ref(AppRequest) } }),
    async (request) => {
      const { userId, connections } = requireSession(request);
      const opened = await openRequest(services, keyOf(request, request.params.id));
      return database.snapshot(async (db) => {
        const now = clock();
        return presentAppRequest(opened, {
          connections,
          tokens: await usableTokens(db, userId, now),
          places: await countPlaces(db, userId, now),
          at: { now, publicUrl: config.publicUrl },
        });
      });
    },
  );

  app.post(
    "/:id/approve/",
    sessionRoute({
      params: RequestPath,
      querystring: noQuery,
      body: ref(AppApproval),
      response: { 200: ref(AppDecision) },
    }),
    async (request, reply) => {
      const actor = actorOf(request);
      const choice = { key: keyOf(request, request.params.id), approval: request.body };
      const decided = await approveRequest(services, actor, choice);
      if (decided.endedTokenId !== null) {
        const event = { event: "token_revoked", outcome: "success", tokenId: decided.endedTokenId } as const;
        const { userId, sessionId } = actor;
        writeSecurityEvent(request.log, { ...event, userId, sessionId, origin: originOf(request) });
      }
      return send(reply, decided);
    },
  );

  app.post(
    "/:id/deny/",
    sessionRoute({ params: RequestPath, querystring: noQuery, response: { 200: ref(AppDecision) } }),
    async (request, reply) =>
      send(reply, await denyRequest(services, actorOf(request), keyOf(request, request.params.id))),
  );
}

const keyOf = ({ headers }: FastifyRequest, id: string) => ({
  id,
  cookies: parseCookie(headers.cookie ?? ""),
});

function send(reply: FastifyReply, { redirectTo, cookie }: Decided) {
  return reply
    .headers({ "cache-control": "no-store", "set-cookie": cookie })
    .send({ redirect_to: redirectTo });
}

const RequestPath = Type.Object({ id: Type.String({ description: "The id in the address of the page" }) });
