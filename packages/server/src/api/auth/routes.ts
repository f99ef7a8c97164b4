import { AccessToken, closed, Me, RefreshRequest, ref, Validation } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { tokenRefused } from "../../auth/credentials.ts";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { noteSecurityFacts, originOf } from "../../auth/security-log.ts";
import type { Sessions } from "../../auth/sessions.ts";
import { enforce, type Limits } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import { presentMe } from "../../present/session.ts";
import { formatTimestamp } from "../../present/values.ts";
import type { Database } from "../../store/port.ts";
import { findUser } from "../../store/queries/users.ts";

interface AuthRouteServices {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly limits: Limits;
}

const noParameters = closed({});

/** `/api/auth`: the routes of session tokens (SESS-3 to SESS-6). */
export async function authRoutes(app: App, { database, sessions, limits }: AuthRouteServices): Promise<void> {
  /**
   * Counts a valid refresh token for its session, before the store is read, and anything else for its address:
   * clients that share an address cannot prevent each other from refreshing (LIM-1).
   */
  async function limitRefresh({ body, ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { refresh }: { refresh?: unknown } = Object(body);
    const sessionId = typeof refresh === "string" ? await sessions.sessionOfRefreshToken(refresh) : null;
    enforce(sessionId === null ? limits.signIn.take(ip) : limits.refresh.take(sessionId), reply);
  }

  app.post(
    "/refresh/",
    {
      config: { access: { kind: "open", limit: "own" }, securityEvent: "session_refreshed" },
      preValidation: limitRefresh,
      schema: {
        summary: "Issues a new access token for a refresh token",
        querystring: noParameters,
        body: ref(RefreshRequest),
        response: { 200: ref(AccessToken) },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        const refreshed = await sessions.refresh(request.body.refresh, originOf(request));
        const { userId, sessionId, access, isNewOrigin: newOrigin } = refreshed;
        noteSecurityFacts(request, { userId, sessionId, newOrigin });
        return { access };
      } catch (error) {
        // The session of the token has ended.
        if (error instanceof ApiError && error.code === "token_revoked")
          enforce(limits.signIn.take(request.ip), reply);
        throw error;
      }
    },
  );

  app.post(
    "/logout/",
    {
      config: { access: { kind: "session" }, securityEvent: "signed_out" },
      schema: {
        summary: "Ends the session of a refresh token",
        querystring: noParameters,
        body: ref(RefreshRequest),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const endedSession = await sessions.logout(actorOf(request), request.body.refresh);
      noteSecurityFacts(request, { endedSession });
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/validate/",
    {
      config: { access: { kind: "session" } },
      schema: {
        summary: "Validates the access token",
        querystring: noParameters,
        response: { 200: ref(Validation) },
      },
    },
    async (request) => {
      const { userId, sessionId, issuedAt, expiresAt } = requireSession(request);
      return {
        valid: true as const,
        token_type: "access" as const,
        user_id: userId,
        session_id: sessionId,
        issued_at: formatTimestamp(issuedAt),
        expires_at: formatTimestamp(expiresAt),
      };
    },
  );

  app.get(
    "/me/",
    {
      config: { access: { kind: "session" } },
      schema: { summary: "Shows the signed-in user", querystring: noParameters, response: { 200: ref(Me) } },
    },
    async (request) => {
      const { userId, connections } = requireSession(request);
      const user = await findUser(database.read, userId);
      if (!user) throw tokenRefused("token_revoked");
      return presentMe(user, connections);
    },
  );
}
