import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Addresses } from "../notion/urls.ts";
import { createView, type View } from "../notion/view.ts";
import type { Grant } from "../oauth/grant.ts";
import type { Grants } from "../oauth/grants.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { ApiError } from "./api-error.ts";
import { blockRoutes } from "./blocks.ts";
import type { Callers } from "./callers.ts";
import { dataSourceRoutes } from "./data-sources.ts";
import { databaseRoutes } from "./databases.ts";
import { pageRoutes } from "./pages.ts";
import { propertyRoutes } from "./properties.ts";
import { createRateLimit } from "./rate-limit.ts";
import { searchRoutes } from "./search.ts";
import { userRoutes } from "./users.ts";

/** The version of the API that is spoken (https://developers.notion.com/reference/versioning). */
const version = "2026-03-11";

/** What the API needs. */
export interface ApiServerParts {
  /** What a request looks at. */
  workspaceOf(request: FastifyRequest): Workspace;
  /** Looks at the folder again. */
  reload(): Promise<Workspace>;
  /** Filled in by the API: nobody else knows whose a token is. */
  readonly callers: Callers;
  readonly grants: Grants;
  readonly clock: () => number;
  /** Calls a minute and grant; 0 for any number. */
  readonly rateLimit: number;
  readonly markdownBlockLimit: number;
  readonly queryRowLimit: number;
  /** What answers give for the addresses of pages. */
  readonly addresses: Addresses;
}

/** The API under `/v1`: a version and a bearer token on every call, so many calls a minute. */
export async function apiRoutes(app: FastifyInstance, parts: ApiServerParts): Promise<void> {
  const { callers, grants } = parts;
  const spend = createRateLimit(parts.rateLimit, parts.clock);

  app.addHook("onRequest", async (request) => {
    checkVersion(request.headers["notion-version"]);
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const grant = token === undefined ? null : grants.findByAccessToken(token);
    if (grant === null) throw new ApiError("unauthorized", "API token is invalid.");
    callers.set(request, grant);
    spend(grant.botId);
  });

  const grantOf = (request: FastifyRequest): Grant => {
    const grant = callers.get(request);
    if (grant === undefined) throw new ApiError("unauthorized", "API token is invalid.");
    return grant;
  };
  const viewOf = createViews(parts, grantOf);
  const routes = { ...parts, grantOf, viewOf };
  for (const register of [
    searchRoutes,
    pageRoutes,
    propertyRoutes,
    blockRoutes,
    databaseRoutes,
    dataSourceRoutes,
    userRoutes,
  ]) {
    await register(app, routes);
  }
}

/** Views are kept while neither the workspace nor the grant changes: making one looks at every page. */
function createViews(
  { workspaceOf, addresses }: Pick<ApiServerParts, "workspaceOf" | "addresses">,
  grantOf: (request: FastifyRequest) => Grant,
): (request: FastifyRequest) => View {
  const known = new WeakMap<Workspace, Map<string, View>>();
  return (request) => {
    const workspace = workspaceOf(request);
    const views = known.get(workspace) ?? new Map<string, View>();
    known.set(workspace, views);
    const { sharedIds } = grantOf(request);
    const key = sharedIds.join();
    const view = views.get(key) ?? createView(workspace, new Set(sharedIds), addresses);
    views.set(key, view);
    return view;
  };
}

function checkVersion(given: string | string[] | undefined): void {
  if (given === undefined) {
    const rule = "Notion-Version header should be defined, instead was `undefined`.";
    throw new ApiError("missing_version", `Notion-Version header failed validation: ${rule}`);
  }
  if (given === version) return;
  const rule = `Notion-Version header should be \`"${version}"\`, instead was \`${JSON.stringify(given)}\`.`;
  throw new ApiError("validation_error", `Notion-Version header failed validation: ${rule}`);
}
