import {
  CreatedToken,
  closed,
  Problem,
  ref,
  ServiceTokenList,
  ServiceTokenListQuery,
  TokenCreation,
  tokenLimits,
} from "@clew/contract";
import { Type } from "typebox";
import { requireSession } from "../../auth/gate.ts";
import { createServiceToken } from "../../auth/service-tokens/create.ts";
import { pageOfServiceTokens } from "../../auth/service-tokens/list.ts";
import { revokeServiceToken } from "../../auth/service-tokens/revoke.ts";
import { createCursors } from "../../cursor/cursors.ts";
import { faultsOf } from "../../http/faults.ts";
import type { Clock } from "../../model/clock.ts";
import type { RandomBytes } from "../../model/random.ts";
import { presentCreatedToken, presentServiceToken } from "../../present/service-token.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/database.ts";
import type { App } from "../app-instance.ts";
import { nextLink } from "../next-link.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** `/api/tokens`: a user's service tokens (TOK-1 to TOK-8). */
export async function tokenRoutes(app: App, parts: Parts): Promise<void> {
  const { database, secrets, clock } = parts;
  const cursors = createCursors(secrets);
  const config = { access: { kind: "session" } } as const;

  app.post(
    "/",
    {
      config,
      // Faults of shape are answered together with those that only the store can tell (TOK-5).
      attachValidation: true,
      schema: {
        summary: "Creates a service token; its raw value is in this answer alone",
        querystring: closed({}),
        body: ref(TokenCreation),
        response: { 201: ref(CreatedToken), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const { userId } = requireSession(request);
      const { body, validationError } = request;
      const shapeFaults = validationError === undefined ? [] : faultsOf(validationError);
      if (shapeFaults === null) throw validationError;
      const { token, raw } = await createServiceToken(parts, userId, { body, shapeFaults });
      reply.header("cache-control", "no-store");
      return reply.code(201).send(presentCreatedToken(token, raw));
    },
  );

  app.get(
    "/",
    {
      config,
      schema: {
        summary: "The caller's service tokens, newest first",
        querystring: ServiceTokenListQuery,
        response: { 200: ref(ServiceTokenList), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const { userId } = requireSession(request);
      const { is_active: isActive, limit = tokenLimits.page.standard, cursor } = request.query;
      const binding = JSON.stringify(["tokens", userId, isActive ?? null]);
      const beforeId = cursor === undefined ? undefined : Number(cursors.decode(binding, cursor));
      const now = clock();
      const { tokens, next } = await pageOfServiceTokens(database.read, userId, {
        now,
        isActive,
        beforeId,
        limit,
      });
      const nextCursor = next === null ? null : cursors.encode(binding, next);
      if (nextCursor !== null) reply.header("link", nextLink(request.url, "cursor", nextCursor));
      return { items: tokens.map((token) => presentServiceToken(token, now)), next_cursor: nextCursor };
    },
  );

  app.delete(
    "/:id/",
    {
      config,
      schema: {
        summary: "Revokes a service token for good",
        params: Type.Object({ id: Type.String({ description: "The token's id, an integer" }) }),
        querystring: closed({}),
        response: { 204: Type.Null(), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const { userId } = requireSession(request);
      await revokeServiceToken(parts, userId, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
