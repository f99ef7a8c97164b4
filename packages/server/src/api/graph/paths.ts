import { Paths, PathsQuery, Problem, ref } from "@clew/contract";
import type { Reading } from "../../operations/asking.ts";
import { paths } from "../../operations/paths.ts";
import type { App } from "../app-instance.ts";
import { askingOf, routeOf } from "./door.ts";

/** `GET …/paths/`: the shortest simple paths between two nodes (GRAPH-8). */
export function pathsRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "paths");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: PathsQuery, response: { 200: ref(Paths), default: ref(Problem) } },
    },
    (request) => paths(askingOf(reading, request), request.query),
  );
}
