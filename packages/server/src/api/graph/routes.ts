import type { App } from "../../http/server.ts";
import type { QueryServices } from "../../operations/request-context.ts";
import { changesRoute } from "./changes.ts";
import { contentRoute } from "./content/route.ts";
import { neighborsRoute } from "./neighbors.ts";
import { nodeRoute } from "./node.ts";
import { nodesRoute } from "./nodes.ts";
import { overviewRoute } from "./overview.ts";
import { pathsRoute } from "./paths.ts";
import { presentedTokenRoute } from "./presented-token.ts";
import { searchRoute } from "./search.ts";
import { workspacesRoute } from "./workspaces.ts";

/**
 * One set of routes for two doors: below `/api/v1` for service tokens, below `/api/provider-graph` for sessions.
 * All of them only read (GRAPH-1 to GRAPH-8, GRAPH-11, GRAPH-14, GRAPH-16).
 */
export async function graphRoutes(app: App, services: QueryServices): Promise<void> {
  overviewRoute(app, services);
  workspacesRoute(app, services);
  searchRoute(app, services);
  nodesRoute(app, services);
  nodeRoute(app, services);
  contentRoute(app, services);
  neighborsRoute(app, services);
  pathsRoute(app, services);
  changesRoute(app, services);
  if (services.audience === "v1") presentedTokenRoute(app);
}
