import { closed, Problem, ref, SyncReportList, Workspace, workspaceOperations } from "@clew/contract";
import { Type } from "typebox";
import { actorOf, requireSession } from "../../auth/gate.ts";
import { withLiveSession } from "../../auth/live-sessions.ts";
import { noteSecurityFacts } from "../../auth/security-log.ts";
import { disconnect, type RemovalServices } from "../../connections/remove.ts";
import type { Graphs } from "../../graph-cache/graphs.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import { describeWorkspace } from "../../operations/workspaces.ts";
import { presentSyncReport } from "../../present/sync.ts";
import type { Database } from "../../store/port.ts";
import { findConnection } from "../../store/queries/connections.ts";
import { syncReportsOf } from "../../store/queries/sync-reports.ts";
import type { SyncService } from "../../sync/service.ts";
import { eventsRoute } from "./events/route.ts";
import type { EventStreams } from "./events/streams.ts";
import { notConnected, ownConnection, WorkspacePath } from "./own-connection.ts";

interface WorkspaceServices extends RemovalServices {
  readonly database: Database;
  readonly graphs: Graphs;
  readonly sync: Pick<SyncService, "request" | "abandon">;
  readonly eventStreams: EventStreams;
}

const config = { access: { kind: "session" } } as const;

/** `/api/provider-graph/workspaces/<id>`: the operations on one workspace (GRAPH-15). */
export async function workspaceRoutes(app: App, services: WorkspaceServices): Promise<void> {
  syncRoute(app, services);
  syncsRoute(app, services);
  eventsRoute(app, services);
  disconnectRoute(app, services);
}

/** Requests a sync, and responds with the state of the workspace. */
function syncRoute(app: App, services: WorkspaceServices): void {
  const { database, graphs, sync } = services;
  const { path, summary } = workspaceOperations.sync;
  const full = Type.Optional(
    Type.Boolean({
      default: false,
      description: "Whether to read everything again, including what search does not list",
    }),
  );
  app.post(
    path,
    {
      config,
      schema: {
        summary,
        params: WorkspacePath,
        querystring: closed({ full }),
        response: { 202: ref(Workspace), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const caller = requireSession(request);
      const { id, status } = ownConnection(caller, request.params.id);
      if (status === "needs_reauth") throw needsReauth();
      await sync.request(id, { by: "person", full: request.query.full ?? false });
      const connection = await findConnection(database.read, id);
      if (connection?.userId !== caller.userId) throw notConnected();
      return reply.code(202).send(await describeWorkspace({ database, graphs }, connection, caller));
    },
  );
}

function needsReauth(): ApiError {
  const detail = "The provider has withdrawn Clew's access to this workspace. Sign in to connect it again.";
  return new ApiError("conflict", detail);
}

/** The latest syncs, with all pages that they could not read. */
function syncsRoute(app: App, services: WorkspaceServices): void {
  const { path, summary } = workspaceOperations.syncs;
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        params: WorkspacePath,
        querystring: closed({}),
        response: { 200: ref(SyncReportList), default: ref(Problem) },
      },
    },
    async (request) => {
      const { id } = ownConnection(requireSession(request), request.params.id);
      return { items: (await syncReportsOf(services.database.read, id)).map(presentSyncReport) };
    },
  );
}

/** Disconnects the workspace. After the response no instance serves it any more. */
function disconnectRoute(app: App, services: WorkspaceServices): void {
  const { path, summary } = workspaceOperations.disconnect;
  app.delete(
    path,
    {
      config: { ...config, securityEvent: "workspace_disconnected" },
      schema: {
        summary,
        description:
          "The workspace's graph is deleted, and its grant is revoked at the provider. A token that the operator set " +
          "(NOTION_TOKEN) is not revoked: revoke it in Notion's Developer portal. The workspace stays " +
          "disconnected until the person signs in again.",
        params: WorkspacePath,
        querystring: closed({}),
        response: { 204: Type.Null(), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const database = withLiveSession(services.database, actor, services.clock);
      if (!(await disconnect({ ...services, database }, actor, request.params.id))) throw notConnected();
      noteSecurityFacts(request, { workspaceId: request.params.id });
      return reply.code(204).send(null);
    },
  );
}
