import { AccessToken, Me, noQuery, RefreshRequest, ref, Validation } from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tokenRefused } from "../../auth/credentials.ts";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { withLiveSession } from "../../auth/live-sessions.ts";
import { noteSecurityFacts, originOf } from "../../auth/security-log.ts";
import { namedSession } from "../../auth/session-tokens.ts";
import type { Sessions } from "../../auth/sessions.ts";
import type { Buckets } from "../../buckets/buckets.ts";
import { deleteAccount, type RemovalServices } from "../../connections/remove.ts";
import { enforce, type Limits } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import { presentMe } from "../../present/session.ts";
import { formatTimestamp } from "../../present/values.ts";
import type { Database } from "../../store/port.ts";
import { findUser } from "../../store/queries/users.ts";
import { noContent, sessionRoute } from "../session-route.ts";

interface AuthRouteServices {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly limits: Limits;
  /** Finds the bucket of a session; left out if there is one alone. */
  readonly buckets?: Pick<Buckets, "ofSession"> | undefined;
}

/** `/api/auth`: the routes of session tokens (SESS-3 to SESS-6). */
export async function authRoutes(app: App, services: AuthRouteServices): Promise<void> {
  const { database, sessions, limits, buckets } = services;

  /** The sessions among which that of a refresh token is, if there is one. */
  async function sessionsOf(refreshToken: string): Promise<Sessions> {
    const sessionId = buckets === undefined ? null : namedSession(refreshToken);
    return (sessionId === null ? undefined : await buckets?.ofSession(sessionId))?.sessions ?? sessions;
  }

  /**
   * Counts a valid refresh token for its session, before the store is read, and anything else for its address:
   * clients that share an address cannot prevent each other from refreshing (LIM-1).
   */
  async function limitRefresh({ body, ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { refresh }: { refresh?: unknown } = Object(body);
    const sessionId =
      typeof refresh === "string" ? await (await sessionsOf(refresh)).sessionOfRefreshToken(refresh) : null;
    enforce(sessionId === null ? limits.signIn.take(ip) : limits.refresh.take(sessionId), reply);
  }

  app.post(
    "/refresh/",
    {
      config: { access: { kind: "open", limit: "own" }, securityEvent: "session_refreshed" },
      preValidation: limitRefresh,
      schema: {
        querystring: noQuery,
        body: ref(RefreshRequest),
        response: { 200: ref(AccessToken) },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      try {
        const { refresh } = request.body;
        const refreshed = await (await sessionsOf(refresh)).refresh(refresh, originOf(request));
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
    sessionRoute({ ...noContent, body: ref(RefreshRequest) }, "signed_out"),
    async (request, reply) => {
      const endedSession = await sessions.logout(actorOf(request), request.body.refresh);
      noteSecurityFacts(request, { endedSession });
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/validate/",
    sessionRoute({
      querystring: noQuery,
      response: { 200: ref(Validation) },
    }),
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

  app.get("/me/", sessionRoute({ querystring: noQuery, response: { 200: ref(Me) } }), async (request) => {
    const { userId, connections } = requireSession(request);
    const user = await findUser(database.read, userId);
    if (!user) throw tokenRefused("token_revoked");
    return presentMe(user, connections);
  });
}

/** `DELETE /api/auth/me/`: deletes the caller's account and all its data, at once and permanently (SESS-9). */
export async function accountRoute(app: App, services: RemovalServices): Promise<void> {
  app.delete("/me/", sessionRoute(noContent, "account_deleted"), async (request, reply) => {
    const caller = requireSession(request);
    const database = withLiveSession(services.database, caller, services.clock);
    await deleteAccount({ ...services, database }, caller.userId);
    return reply.code(204).send(null);
  });
}
