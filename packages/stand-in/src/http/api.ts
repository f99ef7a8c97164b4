import type { Workspace } from "@clew/folder";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Addresses, createView, type View } from "../notion/view.ts";
import type { Grants } from "../oauth/grants.ts";
import type { Grant } from "../oauth/state-file.ts";
import { ApiError } from "./api-error.ts";
import { databaseRoutes, dataSourceRoutes } from "./database-routes.ts";
import { blockRoutes, pageRoutes, propertyRoutes } from "./page-routes.ts";
import type { ApiServices, RequestContexts } from "./request.ts";
import { searchRoutes } from "./search-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** The supported API version (https://developers.notion.com/reference/versioning). */
const version = "2026-03-11";

export interface ApiOptions {
  /** The current workspace. */
  workspace(): Workspace;
  /** Resolves when the pages have their dates. */
  ready(): Promise<Workspace>;
  reload: ApiServices["reload"];
  /** The API sets each request's grant. */
  readonly contexts: RequestContexts;
  readonly grants: Grants;
  readonly clock: () => number;
  /** Calls a minute for each grant; 0 for no limit. */
  readonly rateLimit: number;
  readonly markdownBlockLimit: number;
  readonly queryRowLimit: number;
  /** Gives pages, databases and blocks their addresses. */
  readonly addresses: Addresses;
}

/** The API under `/v1`. Every call needs a version and a bearer token, and counts against the rate limit. */
export async function apiRoutes(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const { contexts, grants } = options;
  const countCall = createRateLimit(options.rateLimit, options.clock);

  app.addHook("onRequest", async (request) => {
    checkVersion(request.headers["notion-version"]);
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const grant = token === undefined ? null : grants.findByAccessToken(token);
    if (grant === null) throw new ApiError("unauthorized", "API token is invalid.");
    contexts(request).grant = grant;
    countCall(grant.botId);
    await options.ready();
  });

  const grantOf = (request: FastifyRequest): Grant => {
    const { grant } = contexts(request);
    if (grant === null) throw new ApiError("unauthorized", "API token is invalid.");
    return grant;
  };
  const services: ApiServices = { ...options, grantOf, viewOf: createViews(options, grantOf) };
  for (const register of [
    searchRoutes,
    pageRoutes,
    propertyRoutes,
    blockRoutes,
    databaseRoutes,
    dataSourceRoutes,
    userRoutes,
  ]) {
    await register(app, services);
  }
}

/** Caches views by workspace and shared pages, because creating one visits every page. */
function createViews(
  { contexts, workspace: current, addresses }: ApiOptions,
  grantOf: (request: FastifyRequest) => Grant,
): (request: FastifyRequest) => View {
  const known = new WeakMap<Workspace, Map<string, View>>();
  return (request) => {
    const workspace = contexts(request).workspace ?? current();
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

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * A token bucket for each grant, which holds `perMinute` calls and refills at that rate. Throws the API's 429 if it is
 * empty. 0 turns the limit off.
 */
function createRateLimit(perMinute: number, clock: () => number): (grantId: string) => void {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;
  return (grantId) => {
    if (perMinute === 0) return;
    const now = clock();
    const bucket = buckets.get(grantId) ?? { tokens: perMinute, filledAt: now };
    buckets.set(grantId, bucket);
    bucket.tokens = Math.min(perMinute, bucket.tokens + (now - bucket.filledAt) * perMillisecond);
    bucket.filledAt = now;
    if (bucket.tokens < 1) throw limited(Math.ceil((1 - bucket.tokens) / perMillisecond / 1000));
    bucket.tokens -= 1;
  };
}

function limited(seconds: number): ApiError {
  return new ApiError("rate_limited", "You have been rate limited. Please try again in a few minutes.", {
    headers: { "retry-after": String(Math.max(1, seconds)) },
    additionalData: { rate_limit_reason: "requests_per_minute" },
  });
}
