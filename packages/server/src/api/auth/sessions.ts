import { ref, SessionList, SessionListQuery, sessionsOnPage } from "@clew/contract";
import { Type } from "typebox";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { endOtherSessions, endOwnSession } from "../../auth/live-sessions.ts";
import { noteSecurityFacts } from "../../auth/security-log.ts";
import type { App } from "../../http/server.ts";
import type { LiveSession } from "../../model/caller.ts";
import type { Clock } from "../../model/runtime.ts";
import { createCursorFactory } from "../../operations/cursors.ts";
import { presentSession } from "../../present/session.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/port.ts";
import { listLiveSessions } from "../../store/queries/sessions.ts";
import { readListPage } from "../list-page.ts";
import { noContent, sessionRoute } from "../session-route.ts";

interface SessionRouteServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** The position after the last session of a page. */
type Position = Pick<LiveSession, "createdAt" | "id">;

/** The path parameter of routes of one session. */
const SessionPath = Type.Object({ id: Type.String({ description: "The session's id" }) });

/** `/api/auth/sessions`: where the caller is signed in (SESS-8). */
export async function sessionRoutes(app: App, services: SessionRouteServices): Promise<void> {
  const { database, secrets, clock } = services;
  const cursorsFor = createCursorFactory(secrets);

  app.get(
    "/",
    sessionRoute({
      querystring: SessionListQuery,
      response: { 200: ref(SessionList) },
    }),
    async (request, reply) => {
      const { userId, sessionId } = requireSession(request);
      const { limit = sessionsOnPage.standard, cursor } = request.query;
      const { items, next_cursor } = await readListPage(request, reply, {
        cursors: cursorsFor<Position>({ list: "sessions", version: 1, parameters: [userId] }),
        cursor,
        limit,
        read: (after, count) =>
          listLiveSessions(database.read, userId, { now: clock(), after, limit: count }),
        positionOf: ({ createdAt, id }) => ({ createdAt, id }),
      });
      return { items: items.map((session) => presentSession(session, sessionId)), next_cursor };
    },
  );

  app.delete("/", sessionRoute(noContent, "signed_out"), async (request, reply) => {
    await endOtherSessions(services, actorOf(request));
    noteSecurityFacts(request, { endedSession: "others" });
    return reply.code(204).send(null);
  });

  app.delete(
    "/:id/",
    sessionRoute({ params: SessionPath, ...noContent }, "signed_out"),
    async (request, reply) => {
      await endOwnSession(services, actorOf(request), request.params.id);
      noteSecurityFacts(request, { endedSession: request.params.id });
      return reply.code(204).send(null);
    },
  );
}
