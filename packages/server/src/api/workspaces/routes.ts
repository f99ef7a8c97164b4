import {
  closed,
  noQuery,
  ref,
  SyncEvent,
  SyncReportList,
  Workspace,
  WorkspacePath,
  WorkspaceSettings,
  workspaceOperations,
} from "@clew/contract";
import { Type } from "typebox";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { withLiveSession } from "../../auth/live-sessions.ts";
import { noteSecurityFacts } from "../../auth/security-log.ts";
import { disconnect, type RemovalServices } from "../../connections/remove.ts";
import { requestJob, type Syncs } from "../../connections/request-sync.ts";
import type { Graphs } from "../../graphs/graphs.ts";
import { eventStreamHeaders } from "../../http/response-headers.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import type { SessionCaller } from "../../model/caller.ts";
import type { Connection } from "../../model/connection.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { describeWorkspace } from "../../operations/workspaces.ts";
import { presentSyncReport } from "../../present/sync.ts";
import { findConnection, setTags } from "../../store/queries/connections.ts";
import { syncReportsOf } from "../../store/queries/sync-reports.ts";
import type { EditTimes } from "../../sync/looks/edit-times.ts";
import { eventStreamRoute, sendEvents } from "../event-stream-route.ts";
import { numberOfEvent } from "../event-streams.ts";
import { noContent, sessionRoute } from "../session-route.ts";
import { type EventStreams, notConnected } from "./events/streams.ts";

interface WorkspaceServices extends RemovalServices {
  readonly graphs: Graphs;
  readonly editTimes: Pick<EditTimes, "editsAsOf">;
  readonly sync: Syncs;
  readonly hasTags: QueryServices["hasTags"];
  readonly eventStreams: EventStreams;
}

/** `/api/provider-graph/workspaces/<id>`: the operations on one workspace (GRAPH-15). */
export async function workspaceRoutes(app: App, services: WorkspaceServices): Promise<void> {
  registerSyncRoute(app, services);
  registerSyncsRoute(app, services);
  registerEventsRoute(app, services);
  registerSettingsRoute(app, services);
  registerDisconnectRoute(app, services);
}

/**
 * The caller's connection to a workspace, which may have a withdrawn grant. Throws `ApiError` `not_found` for a
 * workspace that the caller is not connected to or may not use (SIGN-10), whether it exists or not (GRAPH-10).
 */
function ownConnection({ connections }: SessionCaller, workspaceId: string): Connection {
  const connection = connections.find((each) => each.workspaceId === workspaceId);
  if (!connection) throw notConnected();
  return connection;
}

/** Requests a sync, and responds with the state of the workspace. */
function registerSyncRoute(app: App, services: WorkspaceServices): void {
  const { database, sync } = services;
  const { path } = workspaceOperations.sync;
  const description = "Whether to read everything again, including what search does not list";
  const full = Type.Optional(Type.Boolean({ default: false, description }));
  app.post(
    path,
    sessionRoute({
      params: WorkspacePath,
      querystring: closed({ full }),
      response: { 202: ref(Workspace) },
    }),
    async (request, reply) => {
      const caller = requireSession(request);
      const { id, status } = ownConnection(caller, request.params.id);
      if (status === "needs_reauth") {
        const detail =
          "The provider has withdrawn Clew's access to this workspace. Sign in to connect it again.";
        throw new ApiError("conflict", detail);
      }
      await sync.request(id, { by: "person", full: request.query.full ?? false });
      const connection = await findConnection(database.read, id);
      if (connection?.userId !== caller.userId) throw notConnected();
      return reply.code(202).send(await describeWorkspace(services, connection, caller));
    },
  );
}

/** The latest syncs, with all pages that they could not read. */
function registerSyncsRoute(app: App, services: WorkspaceServices): void {
  const { path } = workspaceOperations.syncs;
  app.get(
    path,
    sessionRoute({
      params: WorkspacePath,
      querystring: noQuery,
      response: { 200: ref(SyncReportList) },
    }),
    async (request) => {
      const { id } = ownConnection(requireSession(request), request.params.id);
      return { items: (await syncReportsOf(services.database.read, id)).map(presentSyncReport) };
    },
  );
}

/** `GET …/workspaces/<id>/events`: the progress of a workspace's sync as server-sent events (GRAPH-15). */
function registerEventsRoute(app: App, { eventStreams }: WorkspaceServices): void {
  const { path } = workspaceOperations.events;

  app.get(path, eventStreamRoute(WorkspacePath, ref(SyncEvent)), async (request, reply) => {
    const caller = requireSession(request);
    const { id } = ownConnection(caller, request.params.id);
    const lastEventId = numberOfEvent(request.headers["last-event-id"]);
    return sendEvents(request, reply, await eventStreams.open(caller, id, lastEventId));
  });

  app.head(
    path,
    sessionRoute({ params: WorkspacePath, querystring: noQuery, hide: true }),
    async (request, reply) => {
      ownConnection(requireSession(request), request.params.id);
      return reply.headers(eventStreamHeaders).send();
    },
  );
}

/** Changes whether tags are nodes (SRC-4): what is stored changes with the sync that follows. */
function registerSettingsRoute(app: App, services: WorkspaceServices): void {
  const { database, clock, hasTags } = services;
  const { path } = workspaceOperations.settings;
  app.patch(
    path,
    sessionRoute({
      params: WorkspacePath,
      querystring: noQuery,
      body: ref(WorkspaceSettings),
      response: { 200: ref(Workspace) },
    }),
    async (request) => {
      const caller = requireSession(request);
      const own = ownConnection(caller, request.params.id);
      const { tags } = request.body;
      const session = withLiveSession(database, actorOf(request), clock);
      await session.transaction(async (trx) => {
        if (!hasTags(own)) throw new ApiError("conflict", "The source of this workspace has no tags.");
        const stored = await findConnection(trx, own.id);
        if (stored === null || stored.tags === tags) return;
        await setTags(trx, own.id, tags);
        await requestJob(trx, own.id, {}, clock());
      });
      const connection = await findConnection(database.read, own.id);
      if (connection?.userId !== caller.userId) throw notConnected();
      return describeWorkspace(services, connection, caller);
    },
  );
}

/** Disconnects the workspace. After the response, no instance serves it. */
function registerDisconnectRoute(app: App, services: WorkspaceServices): void {
  const { path } = workspaceOperations.disconnect;
  app.delete(
    path,
    sessionRoute({ params: WorkspacePath, ...noContent }, "workspace_disconnected"),
    async (request, reply) => {
      const actor = actorOf(request);
      const database = withLiveSession(services.database, actor, services.clock);
      const { source } = request.routeOptions.config;
      if (!(await disconnect({ ...services, database }, actor, request.params.id, source)))
        throw notConnected();
      noteSecurityFacts(request, { workspaceId: request.params.id });
      return reply.code(204).send(null);
    },
  );
}
