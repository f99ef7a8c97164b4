import {
  CreatedToken,
  noQuery,
  ref,
  ServiceTokenList,
  ServiceTokenListQuery,
  TokenCreation,
  TokenRotation,
  tokenLimits,
} from "@clew/contract";
import { Type } from "typebox";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { noteSecurityFacts } from "../../auth/security-log.ts";
import { createServiceToken, revokeServiceToken, rotateServiceToken } from "../../auth/service-tokens.ts";
import type { TokenUse } from "../../auth/token-use.ts";
import type { Config } from "../../config/config.ts";
import type { App } from "../../http/server.ts";
import { fieldErrorsOf } from "../../http/validation.ts";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import { createCursorFactory } from "../../operations/cursors.ts";
import { presentCreatedToken, presentServiceToken } from "../../present/token.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import { listServiceTokens } from "../../store/queries/service-tokens.ts";
import { readListPage } from "../list-page.ts";
import { noContent, sessionRoute } from "../session-route.ts";

interface TokenRouteServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly tokenUse: Pick<TokenUse, "lastUseOf">;
  readonly config: Pick<Config, "publicUrl">;
}

/** `/api/tokens`: a user's service tokens (TOK-1 to TOK-9). */
export async function tokenRoutes(app: App, services: TokenRouteServices): Promise<void> {
  const { database, secrets, clock, tokenUse } = services;
  const { publicUrl } = services.config;
  const cursorsFor = createCursorFactory(secrets);

  app.post(
    "/",
    {
      ...sessionRoute(
        { querystring: noQuery, body: ref(TokenCreation), response: { 201: ref(CreatedToken) } },
        "token_created",
      ),
      // Errors of the body's shape are reported together with those that need the database (TOK-5).
      attachValidation: true,
    },
    async (request, reply) => {
      const { body, validationError } = request;
      const shapeErrors = validationError === undefined ? [] : fieldErrorsOf(validationError);
      if (shapeErrors === null) throw validationError;
      const { token, raw } = await createServiceToken(services, actorOf(request), { body, shapeErrors });
      noteSecurityFacts(request, { tokenId: token.id });
      reply.header("cache-control", "no-store");
      return reply.code(201).send(presentCreatedToken(token, raw, publicUrl));
    },
  );

  app.get(
    "/",
    sessionRoute({
      querystring: ServiceTokenListQuery,
      response: { 200: ref(ServiceTokenList) },
    }),
    async (request, reply) => {
      const { userId } = requireSession(request);
      const { is_active: isActive, limit = tokenLimits.page.standard, cursor } = request.query;
      const now = clock();
      const { items, next_cursor } = await readListPage(request, reply, {
        cursors: cursorsFor<number>({ list: "tokens", version: 1, parameters: [userId, isActive ?? null] }),
        cursor,
        limit,
        read: (beforeId, count) =>
          listServiceTokens(database.read, userId, { now, isActive, beforeId, limit: count }),
        positionOf: ({ id }) => id,
      });
      return {
        items: items.map((token) =>
          presentServiceToken({ ...token, lastUsedAt: tokenUse.lastUseOf(token) }, { now, publicUrl }),
        ),
        next_cursor,
      };
    },
  );

  app.post(
    "/:id/rotate/",
    {
      ...sessionRoute(
        {
          params: TokenPath,
          querystring: noQuery,
          body: ref(TokenRotation),
          response: { 201: ref(CreatedToken) },
        },
        "token_rotated",
      ),
      // Without a body there is no overlap.
      preValidation: (request, _reply, done) => {
        if (request.body === undefined) request.body = {};
        done();
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { overlap_hours: overlapHours = 0 } = request.body;
      const { token, raw } = await rotateServiceToken(services, actorOf(request), { id, overlapHours });
      noteSecurityFacts(request, { tokenId: Number(id), successorId: token.id });
      reply.header("cache-control", "no-store");
      return reply.code(201).send(presentCreatedToken(token, raw, publicUrl));
    },
  );

  app.delete(
    "/:id/",
    sessionRoute({ params: TokenPath, ...noContent }, "token_revoked"),
    async (request, reply) => {
      const { id } = request.params;
      await revokeServiceToken(services, actorOf(request), id);
      noteSecurityFacts(request, { tokenId: Number(id) });
      return reply.code(204).send(null);
    },
  );
}

/** The path parameter of routes of one token. */
const TokenPath = Type.Object({ id: Type.String({ description: "The token's id, an integer" }) });
