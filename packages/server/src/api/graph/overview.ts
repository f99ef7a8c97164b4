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
import type { Reader } from "../../graph-cache/readable.ts";
import type { App } from "../../http/server.ts";
import {
  type Audience,
  type QueryServices,
  readableConnectionsOf,
} from "../../operations/request-context.ts";
import { presentedWorkspaces } from "../../operations/workspaces.ts";
import { contextOf, routeOf } from "./audience.ts";

/** `GET …/`: what the caller may read, and how (GRAPH-16). */
export function overviewRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "overview");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: closed({}), response: { 200: ref(Overview), default: ref(Problem) } },
    },
    async (request) => {
      const ctx = contextOf(services, request);
      const { reader } = ctx;
      return {
        workspaces: await presentedWorkspaces(services, await readableConnectionsOf(ctx), reader),
        operations: operationsFor(reader, services.audience, app.prefix),
      };
    },
  );
}

/** The operations that the caller's credentials open, each at its path below the door. */
function operationsFor(reader: Reader, audience: Audience, prefix: string): Overview["operations"] {
  const below = (path: string) => prefix + path.replace(":id", "{id}");
  const services = Object.entries<Operation>(graphOperations)
    .filter(([, { scopes }]) => reader.kind === "session" || holdsAll(reader, scopes))
    .map(([name, { path, scopes, summary }]) => ({
      name,
      method: "GET" as const,
      path: below(path),
      scope: audience === "v1" ? scopes.join(" ") || null : null,
      summary,
    }));
  return [
    ...services,
    ...ownOperations(audience).map((own) => ({ ...own, path: below(own.path), scope: null })),
  ];
}

/** What one door has and the other has not. */
function ownOperations(audience: Audience) {
  if (audience === "v1") return [{ name: "token", method: "GET" as const, ...presentedTokenOperation }];
  return Object.entries(workspaceOperations).map(([name, operation]) => ({ name, ...operation }));
}
