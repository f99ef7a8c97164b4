import { closed, Problem, ref, WorkspaceList } from "@clew/contract";
import type { App } from "../../http/server.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { workspaces } from "../../operations/workspaces.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/workspaces/`: the readable workspaces, their size and freshness (GRAPH-1). */
export function workspacesRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "workspaces");
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
    (request) => workspaces(contextOf(services, request)),
  );
}
