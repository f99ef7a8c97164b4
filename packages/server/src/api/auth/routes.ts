import { AccessToken, closed, Me, RefreshRequest, ref, Validation } from "@clew/contract";
import { Type } from "typebox";
import { authorOf } from "../../auth/author.ts";
import { tokenRefused } from "../../auth/credentials.ts";
import { requireSession } from "../../auth/gate.ts";
import type { Sessions } from "../../auth/sessions.ts";
import type { Config } from "../../config/config.ts";
import { type Limits, limitSignIn } from "../../limits/limits.ts";
import { presentTimestamp } from "../../present/timestamp.ts";
import { presentMe } from "../../present/user.ts";
import { allowedConnections } from "../../store/allowed-connections.ts";
import type { Database } from "../../store/database.ts";
import { findUser } from "../../store/users.ts";
import type { App } from "../app-instance.ts";

interface Parts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly limits: Limits;
  readonly config: Pick<Config, "allowed">;
}

const noParameters = closed({});

/** `/api/auth`: the session tokens' own routes (SESS-3 to SESS-6). */
export async function authRoutes(app: App, { database, sessions, limits, config }: Parts): Promise<void> {
  app.post(
    "/refresh/",
    {
      config: { access: { kind: "open", limit: "own" } },
      onRequest: limitSignIn(limits),
      schema: {
        summary: "A new access token for a refresh token",
        querystring: noParameters,
        body: ref(RefreshRequest),
        response: { 200: ref(AccessToken) },
      },
    },
    async (request, reply) => {
      reply.header("cache-control", "no-store");
      return sessions.refresh(request.body.refresh);
    },
  );

  app.post(
    "/logout/",
    {
      config: { access: { kind: "session" } },
      schema: {
        summary: "Ends the session of a refresh token",
        querystring: noParameters,
        body: ref(RefreshRequest),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await sessions.logout(authorOf(request), request.body.refresh);
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/validate/",
    {
      config: { access: { kind: "session" } },
      schema: {
        summary: "Whether the access token counts",
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
        issued_at: presentTimestamp(issuedAt),
        expires_at: presentTimestamp(expiresAt),
      };
    },
  );

  app.get(
    "/me/",
    {
      config: { access: { kind: "session" } },
      schema: { summary: "The signed-in user", querystring: noParameters, response: { 200: ref(Me) } },
    },
    async (request) => {
      const { userId } = requireSession(request);
      const user = await findUser(database.read, userId);
      const connections = await allowedConnections(database.read, config.allowed, userId);
      if (!user || !connections) throw tokenRefused("token_revoked");
      return presentMe(user, connections);
    },
  );
}
