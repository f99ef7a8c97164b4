import { closed, Problem, ref, WorkspaceList } from "@clew/contract";
import type { Reading } from "../../operations/asking.ts";
import { workspaces } from "../../operations/workspaces.ts";
import type { App } from "../app-instance.ts";
import { askingOf, routeOf } from "./door.ts";

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
    (request) => workspaces(askingOf(reading, request)),
  );
}
