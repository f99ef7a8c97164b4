import { closed, Problem, ref, type Workspace, WorkspaceList } from "@clew/contract";
import type { Connection } from "../../model/connection.ts";
import { presentWorkspace } from "../../present/workspace.ts";
import { countGraph } from "../../store/graph-reading.ts";
import type { App } from "../app-instance.ts";
import { routeOf } from "./door.ts";
import { connectionsFor, type Reading } from "./reading.ts";

/** `GET …/workspaces/`: the readable workspaces, their size and freshness (GRAPH-1). */
export function workspacesRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "workspaces");
  app.get(
    path,
    {
      config,
      schema: {
        summary,
        querystring: closed({}),
        response: { 200: ref(WorkspaceList), default: ref(Problem) },
      },
    },
    async (request) => ({
      items: await presentedWorkspaces(reading, await connectionsFor(reading, request)),
    }),
  );
}

/** Workspaces with the size of the graph that is served, or of what the store holds where none was built yet. */
export function presentedWorkspaces(
  { graphs, database }: Pick<Reading, "graphs" | "database">,
  connections: readonly Connection[],
): Promise<Workspace[]> {
  return Promise.all(
    connections.map(async (connection) => {
      const loaded = graphs.loaded(connection);
      const size = loaded
        ? { nodes: loaded.graph.nodeCount, edges: loaded.graph.edgeCount }
        : await countGraph(database.read, connection.id);
      return presentWorkspace(connection, size);
    }),
  );
}
