import { globSync } from "node:fs";
import type { Scope, ToolName } from "@clew/contract";
import { directory, pages } from "@clew/dashboard";

/** The credentials that a route needs; `status` is that of a minimal request to an open one. */
export type Access =
  | { readonly kind: "open"; readonly status: number }
  | { readonly kind: "session" }
  | { readonly kind: "service-token"; readonly scopes: readonly Scope[] };

/** The words that stand for the provider in a path (SIGN-7). */
const providerWords = ["provider", "stand-in", "notion"];

const openSignIn = providerWords.flatMap((word): [string, number][] => [
  [`GET /api/integrations/auth/${word}`, 302],
  [`GET /api/integrations/auth/${word}/callback`, 302],
  [`GET /api/integrations/auth/${word}/status`, 200],
]);

/** Webhooks are authenticated only by their signature. */
const webhooks = providerWords.map((word): [string, number] => [
  `POST /api/integrations/${word}/webhook`,
  401,
]);

const dashboard = [
  ...pages.map((path) => `/dashboard${path.replace(/\/$/, "")}`),
  ...globSync("assets/*.{js,css,svg}", { cwd: directory }).map((file) => `/dashboard/${file}`),
].map((path): [string, number] => [`GET ${path}`, 200]);

/** The demo workspace's routes for browsers (SIGN-11), without an authorization request and without its cookie. */
const demo: [string, number][] = [
  ["GET /demo/site.css", 200],
  ["GET /demo/pages/:id", 403],
  ["GET /demo/v1/oauth/authorize", 400],
  ["POST /demo/v1/oauth/authorize", 415],
];

/** The authorization server for programs (APP-1 to APP-5): a minimal request of each lacks what it needs. */
const oauth: [string, number][] = [
  ["GET /.well-known/oauth-protected-resource", 200],
  ["GET /.well-known/oauth-protected-resource/api/v1/mcp", 200],
  ["GET /.well-known/oauth-authorization-server", 200],
  ["GET /oauth/authorize", 400],
  ["POST /oauth/register", 400],
  ["POST /oauth/token", 415],
  ["POST /oauth/revoke", 415],
];

/**
 * All routes that need no credentials, with the status of a minimal request. Listed here, so that a newly open route is
 * noticed.
 */
export const openRoutes: ReadonlyMap<string, number> = new Map([
  ["GET /healthz", 200],
  ["GET /healthz/stream", 200],
  ["GET /readyz", 200],
  ["GET /api/v1/openapi.json", 200],
  ["GET /docs", 200],
  ["GET /docs/*", 404],
  ["GET /docs/api", 200],
  ["GET /docs/api/:id", 404],
  ["GET /docs/api/messages/:name", 404],
  ["GET /llms.txt", 200],
  // It takes its credentials in the body.
  ["POST /api/auth/refresh", 400],
  ["GET /", 302],
  ...demo,
  ...oauth,
  ...webhooks,
  ...openSignIn,
  ...dashboard,
]);

/** The scopes that V1 requires, by the path below `/api/v1` (seed 2.4). */
const v1Scopes: Readonly<Record<string, readonly Scope[]>> = {
  "": [],
  "/token": [],
  "/workspaces": [],
  "/workspaces/:id/map": ["graph:search"],
  "/workspaces/:id/map/nodes": ["graph:search"],
  "/search": ["graph:search"],
  "/resolve": ["graph:search"],
  "/text": ["graph:search", "graph:read"],
  "/context": ["graph:search", "graph:read", "graph:neighbors"],
  "/nodes": ["graph:read"],
  "/nodes/:id": ["graph:read"],
  "/nodes/:id/content": ["graph:read"],
  "/nodes/:id/rows": ["graph:read"],
  "/nodes/:id/neighbors": ["graph:neighbors"],
  "/nodes/:id/related": ["graph:neighbors"],
  "/edges": ["graph:neighbors"],
  "/paths": ["graph:neighbors"],
  "/tree": ["graph:search"],
  "/changes": ["graph:search", "graph:read"],
  "/export": ["graph:search", "graph:read", "graph:neighbors"],
  "/recent": ["graph:search", "graph:read"],
  "/broken": ["graph:search", "graph:read"],
  // The available tools depend on the scopes.
  "/mcp": [],
};

/**
 * The scopes that a parameter needs besides those of its path, with a value to call it with and what else the path
 * requires.
 */
export const parameterScopes: readonly {
  readonly path: string;
  readonly parameter: string;
  readonly scopes: readonly Scope[];
}[] = [
  { path: "/search", parameter: "is=orphan", scopes: ["graph:read"] },
  { path: "/nodes/:id/neighbors", parameter: "excerpts=true", scopes: ["graph:read"] },
  { path: "/paths", parameter: "excerpts=true&from=:id&to=:id", scopes: ["graph:read"] },
  { path: "/workspaces/:id/map", parameter: "links=true", scopes: ["graph:neighbors"] },
];

/** Parameters that a service token may not send, with a value to call them with. */
export const sessionParameters: readonly { readonly path: string; readonly parameter: string }[] = [
  { path: "/context", parameter: "explain=true" },
];

/** The scopes that each tool for agents requires. */
export const toolScopes: Readonly<Record<ToolName, readonly Scope[]>> = {
  search_pages: ["graph:search"],
  build_context: ["graph:search", "graph:read", "graph:neighbors"],
  read_page: ["graph:read"],
  list_links: ["graph:neighbors"],
  find_related: ["graph:neighbors"],
  find_paths: ["graph:neighbors"],
  query_database: ["graph:read"],
  recent_changes: ["graph:search", "graph:read"],
  workspace_overview: [],
  search: ["graph:search", "graph:read"],
  fetch: ["graph:read"],
};

/** The routes that need a session, besides those of the graph. */
const sessionRoutes: ReadonlySet<string> = new Set([
  "POST /api/auth/logout",
  "GET /api/auth/validate",
  "GET /api/auth/me",
  "DELETE /api/auth/me",
  "GET /api/auth/sessions",
  "DELETE /api/auth/sessions",
  "DELETE /api/auth/sessions/:id",
  "POST /api/auth/sources",
  "GET /api/audit",
  "GET /api/tokens",
  "POST /api/tokens",
  "POST /api/tokens/:id/rotate",
  "DELETE /api/tokens/:id",
  "GET /api/tokens/activity",
  "GET /api/tokens/:id/activity",
  "GET /api/tokens/:id/activity/events",
  "GET /api/apps/requests/:id",
  "POST /api/apps/requests/:id/approve",
  "POST /api/apps/requests/:id/deny",
]);

/** The routes below the graph of a source that service tokens do not have, each for sessions. */
const workspaceRoutes: ReadonlySet<string> = new Set([
  "GET /paths/proposed",
  "POST /workspaces/:id/sync",
  "GET /workspaces/:id/syncs",
  "GET /workspaces/:id/events",
  "PATCH /workspaces/:id",
  "DELETE /workspaces/:id",
]);

const ofV1 = /^\/api\/v1(?=\/|$)/;
const ofSource = new RegExp(`^/api/(?:${providerWords.join("|")})-graph(?=/|$)`);

/** The access to a route (TOK-11). Throws if the policy does not have the route: a new one needs a row. */
export function accessOf(method: string, pattern: string): Access {
  const route = `${method === "HEAD" ? "GET" : method} ${pattern}`;
  const status = openRoutes.get(route);
  if (status !== undefined) return { kind: "open", status };
  if (ofV1.test(pattern)) {
    const scopes = v1Scopes[pattern.replace(ofV1, "")];
    if (scopes !== undefined) return { kind: "service-token", scopes };
  }
  if (ofSource.test(pattern)) {
    const below = pattern.replace(ofSource, "");
    const isOperation = v1Scopes[below] !== undefined && below !== "/token" && below !== "/mcp";
    if ((isOperation && route.startsWith("GET ")) || workspaceRoutes.has(route.replace(pattern, below)))
      return { kind: "session" };
  }
  if (sessionRoutes.has(route)) return { kind: "session" };
  throw new Error(`${route} has no row in the policy: add one to test/surface/policy.ts`);
}
