import {
  closed,
  graphOperations,
  type Operation,
  Overview,
  Problem,
  presentedTokenOperation,
  ref,
  workspaceOperations,
} from "@clew/contract";
import { holdsAll } from "../../auth/gate.ts";
import { connectionsFor, type Door, type Reading } from "../../operations/asking.ts";
import { presentedWorkspaces } from "../../operations/workspaces.ts";
import type { Reader } from "../../publication/readable.ts";
import type { App } from "../app-instance.ts";
import { askingOf, routeOf } from "./door.ts";

/** `GET …/`: what the caller may read, and how (GRAPH-16). */
export function overviewRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "overview");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: closed({}), response: { 200: ref(Overview), default: ref(Problem) } },
    },
    async (request) => {
      const asking = askingOf(reading, request);
      const { reader } = asking;
      return {
        workspaces: await presentedWorkspaces(reading, await connectionsFor(asking), reader),
        operations: operationsFor(reader, reading.door, app.prefix),
      };
    },
  );
}

/** The operations that the caller's credentials open, each at its path below the door. */
function operationsFor(reader: Reader, door: Door, prefix: string): Overview["operations"] {
  const below = (path: string) => prefix + path.replace(":id", "{id}");
  const reading = Object.entries<Operation>(graphOperations)
    .filter(([, { scopes }]) => reader.kind === "session" || holdsAll(reader, scopes))
    .map(([name, { path, scopes, summary }]) => ({
      name,
      method: "GET" as const,
      path: below(path),
      scope: door === "v1" ? scopes.join(" ") || null : null,
      summary,
    }));
  return [...reading, ...ownOperations(door).map((own) => ({ ...own, path: below(own.path), scope: null }))];
}

/** What one door has and the other has not. */
function ownOperations(door: Door) {
  if (door === "v1") return [{ name: "token", method: "GET" as const, ...presentedTokenOperation }];
  return Object.entries(workspaceOperations).map(([name, operation]) => ({ name, ...operation }));
}
