import type { Config } from "../../config/config.ts";
import { createCursors } from "../../cursor/cursors.ts";
import type { Clock } from "../../model/clock.ts";
import type { Graphs } from "../../publication/graphs.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Database } from "../../store/database.ts";
import type { App } from "../app-instance.ts";
import { createAnswers } from "./answers.ts";
import { changesRoute } from "./changes/route.ts";
import { contentRoute } from "./content/route.ts";
import type { Door } from "./door.ts";
import { neighborsRoute } from "./neighbors.ts";
import { nodeRoute } from "./node.ts";
import { nodesRoute } from "./nodes.ts";
import { overviewRoute } from "./overview.ts";
import { pathsRoute } from "./paths.ts";
import { presentedTokenRoute } from "./presented-token.ts";
import type { Reading } from "./reading.ts";
import { searchRoute } from "./search/route.ts";
import { workspacesRoute } from "./workspaces.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly graphs: Graphs;
  readonly clock: Clock;
  readonly config: Pick<Config, "withdrawnGrace">;
}

/**
 * One set of routes for two doors: below `/api/v1` for service tokens, below `/api/provider-graph` for sessions.
 * All of them only read (GRAPH-1 to GRAPH-8, GRAPH-11, GRAPH-14, GRAPH-16).
 */
export async function graphRoutes(app: App, parts: Parts, door: Door): Promise<void> {
  const reading: Reading = {
    door,
    database: parts.database,
    graphs: parts.graphs,
    cursors: createCursors(parts.secrets),
    answers: createAnswers(),
    oldestWithdrawal: () => parts.clock() - parts.config.withdrawnGrace,
    monotonic: () => performance.now(),
  };
  overviewRoute(app, reading);
  workspacesRoute(app, reading);
  searchRoute(app, reading);
  nodesRoute(app, reading);
  nodeRoute(app, reading);
  contentRoute(app, reading);
  neighborsRoute(app, reading);
  pathsRoute(app, reading);
  changesRoute(app, reading);
  if (door === "v1") presentedTokenRoute(app);
}
