import type { TestContext } from "node:test";
import { pino } from "pino";
import type { SyncRequest } from "../../../connections/request-sync.ts";
import type { Connection } from "../../../model/connection.ts";
import { unavailableError } from "../../../store/testing/unavailable.ts";
import { SessionStreams } from "../../event-streams.ts";
import { type GraphServer, serveGraphs } from "../../graph/testing/graph-server.ts";
import { createEventStreams } from "../events/streams.ts";
import { workspaceRoutes } from "../routes.ts";

export const workspace = "11111111-1111-4111-8111-111111111111";
/** The workspace whose source has tags. */
export const taggedWorkspace = "22222222-2222-4222-8222-222222222222";

/** A graph server with the routes of workspaces, which records requested syncs without running them. */
export interface WorkspaceServer extends GraphServer {
  /** The requested syncs, and the connections whose sync was stopped. */
  readonly requestedSyncs: readonly {
    readonly connectionId: number;
    readonly request: SyncRequest | undefined;
  }[];
  readonly abandoned: readonly number[];
  /** Has the database refuse to store requests for syncs from now on. */
  refuseSyncs(): void;
}

export async function serveWorkspaces(t: TestContext): Promise<WorkspaceServer> {
  const requestedSyncs: { connectionId: number; request: SyncRequest | undefined }[] = [];
  const abandoned: number[] = [];
  let refusal: Error | null = null;
  const sync = {
    request: async (connectionId: number, request?: SyncRequest) => {
      if (refusal !== null) throw refusal;
      requestedSyncs.push({ connectionId, request });
    },
    abandon: async (connectionId: number) => void abandoned.push(connectionId),
  };
  const server = await serveGraphs(t, async (app, { fixture, graphs }) => {
    const sessionStreams = new SessionStreams();
    const eventStreams = createEventStreams({
      ...fixture,
      sessionStreams,
      onError: (error) => void t.diagnostic(String(error)),
    });
    app.addHook("preClose", async () => sessionStreams.close());
    const editTimes = { editsAsOf: () => null };
    const services = {
      ...fixture,
      graphs,
      sync,
      editTimes,
      eventStreams,
      hasTags: ({ workspaceId }: Connection) => workspaceId === taggedWorkspace,
      log: pino({ level: "silent" }),
    };
    await app.register((scope) => workspaceRoutes(scope, services), { prefix: "/api/provider-graph" });
  });
  const refuseSyncs = () => {
    refusal = unavailableError();
  };
  return { ...server, requestedSyncs, abandoned, refuseSyncs };
}
