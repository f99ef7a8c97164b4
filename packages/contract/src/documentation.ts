import { audiences, type Documentation, graphOperations, workspaceOperations } from "./operations.ts";
import { accountRoutes } from "./routes.ts";

/** The routes of the document whose messages are not JSON, or are not those of an API. */
const otherRoutes = {
  "GET /api/integrations/auth/provider/": {
    operationId: "beginSignIn",
    summary: "Begin a sign-in: redirects to the provider's consent screen",
  },
  "GET /api/integrations/auth/provider/callback": {
    operationId: "finishSignIn",
    summary: "Finish a sign-in: the provider redirects here, and this redirects to the dashboard",
  },
  "GET /api/integrations/auth/provider/status": {
    operationId: "getSignInStatus",
    summary: "Get whether and where people sign in, and the caller's workspaces",
  },
  "POST /api/integrations/provider/webhook": {
    operationId: "receiveWebhook",
    summary: "Receive the provider's events, signed with the key of the webhook",
    problems: ["invalid_request", "unauthenticated", "not_found", "conflict", "body_too_large"],
  },
  "GET /api/tokens/:id/activity/events": {
    operationId: "followTokenActivity",
    summary: "Follow what a service token reads as server-sent events",
    problems: ["not_found"],
  },
  "POST /api/v1/mcp/": {
    operationId: "callTools",
    summary: "Offer the operations of this API as tools for agents (Model Context Protocol)",
    problems: ["origin_not_allowed"],
  },
  "GET /healthz": { operationId: "getHealth", summary: "Get whether the process lives" },
  "GET /readyz": { operationId: "getReadiness", summary: "Get whether this instance can serve" },
} as const satisfies Record<string, Documentation>;

/**
 * Everything that the OpenAPI document describes, by method and path: `GET /api/v1/nodes/:id/`. A route that is not here
 * is not in the document.
 */
export const documentation: Readonly<Record<string, Documentation>> = {
  ...Object.fromEntries(
    Object.values<Documentation & { readonly path: string }>(graphOperations).flatMap((operation) => [
      [`GET ${audiences.v1}${operation.path}`, operation],
      // An operation of both audiences needs two ids.
      [
        `GET ${audiences.session}${operation.path}`,
        { ...operation, operationId: `${operation.operationId}InSession` },
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.values(workspaceOperations).map((operation) => [
      `${operation.method} ${audiences.session}${operation.path}`,
      operation,
    ]),
  ),
  ...accountRoutes,
  ...otherRoutes,
};
