import {
  ActivityEvent,
  activityLimits,
  noQuery,
  ref,
  TokenActivity,
  TokenActivityQuery,
  TokenUseList,
} from "@clew/contract";
import { Type } from "typebox";
import { type ActivityLog, activeToken } from "../../activity/activity-log.ts";
import { requireSession } from "../../auth/gate.ts";
import { requireOwnToken } from "../../auth/service-tokens.ts";
import { eventStreamHeaders } from "../../http/response-headers.ts";
import type { App } from "../../http/server.ts";
import type { Clock } from "../../model/runtime.ts";
import { presentCall } from "../../present/activity.ts";
import { formatTimestamp } from "../../present/values.ts";
import type { Database } from "../../store/port.ts";
import {
  type ActiveToken,
  hoursOf,
  hoursOfUser,
  latestCalls,
  latestNumber,
  mostRead,
  pagesSince,
  sumOf,
  sumsSince,
} from "../../store/queries/activity.ts";
import { eventStreamRoute, sendEvents } from "../event-stream-route.ts";
import { numberOfEvent } from "../event-streams.ts";
import { sessionRoute } from "../session-route.ts";
import type { ActivityStreams } from "./activity-streams.ts";

interface ActivityRouteServices {
  readonly database: Database;
  readonly activity: ActivityLog;
  readonly activityStreams: ActivityStreams;
  readonly clock: Clock;
}

const dayMs = 86_400_000;

const TokenPath = Type.Object({ id: Type.String({ description: "The token's id, an integer" }) });

/** `/api/tokens/<id>/activity/`: what a user's service tokens read (APP-9). */
export async function activityRoutes(app: App, services: ActivityRouteServices): Promise<void> {
  const { database, activity } = services;

  app.get(
    "/activity/",
    sessionRoute({ querystring: noQuery, response: { 200: ref(TokenUseList) } }),
    async (request) => {
      const { userId } = requireSession(request);
      await activity.flush();
      return { items: await usesOf(services, userId) };
    },
  );

  app.get(
    "/:id/activity/",
    sessionRoute({
      params: TokenPath,
      querystring: TokenActivityQuery,
      response: { 200: ref(TokenActivity) },
    }),
    async (request) => {
      const { userId } = requireSession(request);
      const token = activeToken(await requireOwnToken(database.read, userId, request.params.id));
      // Calls that this instance has not written yet belong to the answer.
      await activity.flush();
      return readActivity(services, token, request.query.limit ?? activityLimits.calls);
    },
  );

  registerEventsRoute(app, services);
}

async function readActivity(
  { database, activity: { days }, clock }: ActivityRouteServices,
  token: ActiveToken,
  limit: number,
): Promise<TokenActivity> {
  const now = clock();
  const since = now - days * dayMs;
  const weekSince = Math.max(since, now - 7 * dayMs);
  const { id } = token;
  return database.activity.read(async (db) => {
    const last = days === 0 ? null : await latestNumber(db, token);
    if (last === null) return { ...noActivity, days };
    const hours = await hoursOf(db, id, since);
    return {
      days,
      ...sumOf(hours),
      pages: await pagesSince(db, id, since),
      week: await sumsSince(db, id, weekSince),
      hours: hours.map(({ at, ...counts }) => ({ at: formatTimestamp(at), ...counts })),
      most_read: (await mostRead(db, id, since)).map(({ nodeId, reads, readAt }) => ({
        node_id: nodeId,
        reads,
        read_at: formatTimestamp(readAt),
      })),
      latest: (await latestCalls(db, id, { after: 0, since, limit })).map(presentCall),
      last_event_id: String(last),
    };
  });
}

const noActivity = {
  calls: 0,
  refused: 0,
  pages: 0,
  week: { calls: 0, refused: 0, pages: 0 },
  hours: [],
  most_read: [],
  latest: [],
  last_event_id: "0",
};

/** The calls of a user's tokens in each of the last days. */
async function usesOf(
  { database, activity: { days }, clock }: ActivityRouteServices,
  userId: string,
): Promise<TokenUseList["items"]> {
  if (days === 0) return [];
  const { useDays } = activityLimits;
  // The hour that runs is the last of the last day.
  const end = (Math.floor(clock() / 3_600_000) + 1) * 3_600_000;
  const since = end - useDays * dayMs;
  const byToken = new Map<number, number[]>();
  for (const { tokenId, at, calls } of await database.activity.read((db) => hoursOfUser(db, userId, since))) {
    const days = byToken.get(tokenId) ?? Array.from({ length: useDays }, () => 0);
    byToken.set(tokenId, days);
    const day = Math.min(useDays - 1, Math.floor((at - since) / dayMs));
    days[day] = (days[day] ?? 0) + calls;
  }
  return [...byToken].map(([token_id, days]) => ({ token_id, days }));
}

/** `GET /api/tokens/<id>/activity/events`: calls as server-sent events. */
function registerEventsRoute(app: App, { database, activityStreams }: ActivityRouteServices): void {
  const path = "/:id/activity/events";
  const route = eventStreamRoute(TokenPath, ref(ActivityEvent));

  app.get(path, route, async (request, reply) => {
    const caller = requireSession(request);
    const token = await requireOwnToken(database.read, caller.userId, request.params.id);
    const lastEventId = numberOfEvent(request.headers["last-event-id"]);
    return sendEvents(request, reply, await activityStreams.open(caller, activeToken(token), lastEventId));
  });

  app.head(
    path,
    sessionRoute({ params: TokenPath, querystring: noQuery, hide: true }),
    async (request, reply) => {
      const { userId } = requireSession(request);
      await requireOwnToken(database.read, userId, request.params.id);
      return reply.headers(eventStreamHeaders).send();
    },
  );
}
