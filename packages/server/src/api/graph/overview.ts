import {
  closed,
  graphOperations,
  Overview,
  Problem,
  presentedTokenOperation,
  ref,
  type Scope,
} from "@clew/contract";
import type { Reader } from "../../publication/readable.ts";
import type { App } from "../app-instance.ts";
import { type Door, readerOf, routeOf } from "./door.ts";
import { connectionsFor, type Reading } from "./reading.ts";
import { presentedWorkspaces } from "./workspaces.ts";

/** `GET …/`: what the caller may read, and how (GRAPH-16). */
export function overviewRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "overview");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: closed({}), response: { 200: ref(Overview), default: ref(Problem) } },
    },
    async (request) => ({
      workspaces: await presentedWorkspaces(reading, await connectionsFor(reading, request)),
      operations: operationsFor(readerOf(reading.door, request), reading.door, app.prefix),
    }),
  );
}

/** The operations that the caller's scopes open, each at its path below the door. */
function operationsFor(reader: Reader, door: Door, prefix: string): Overview["operations"] {
  const offered = Object.entries<Operation>(graphOperations);
  if (door === "v1") offered.push(["token", presentedTokenOperation]);
  return offered
    .filter(([, { scope }]) => reader.kind === "session" || scope === null || reader.scopes.includes(scope))
    .map(([name, { path, scope, summary }]) => ({
      name,
      method: "GET",
      path: prefix + path.replace(":id", "{id}"),
      scope: door === "v1" ? scope : null,
      summary,
    }));
}

interface Operation {
  readonly path: string;
  readonly scope: Scope | null;
  readonly summary: string;
}
