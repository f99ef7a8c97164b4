import type { Static, TSchema } from "typebox";
import { TokenActivity, TokenActivityQuery, TokenUseList } from "./activity.ts";
import { AuditQuery, AuditTrail } from "./audit.ts";
import { AppApproval, AppDecision, AppRequest } from "./connected-apps.ts";
import { type Documentation, presentedTokenOperation, workspaceOperations } from "./operations.ts";
import {
  CreatedToken,
  PresentedToken,
  ServiceTokenList,
  ServiceTokenListQuery,
  TokenCreation,
  TokenRotation,
} from "./service-token.ts";
import { AccessToken, RefreshRequest, SessionList, SessionListQuery, Validation } from "./session.ts";
import { SyncReportList } from "./sync-report.ts";
import { AddedSource, Me, SourceChoice } from "./user.ts";
import { ProposedPath } from "./walks.ts";
import { Workspace, WorkspaceSettings } from "./workspace.ts";

interface Route extends Documentation {
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Null if the response has no body. */
  readonly response: TSchema | null;
}

/** The JSON messages of the routes outside the graph's shared operations. */
export const accountRoutes = {
  "POST /api/auth/refresh/": {
    operationId: "refreshAccessToken",
    summary: "Issue a new access token for a refresh token",
    problems: ["token_invalid", "token_expired", "token_revoked"],
    body: RefreshRequest,
    response: AccessToken,
  },
  "POST /api/auth/logout/": {
    operationId: "signOut",
    summary: "End the session of a refresh token",
    body: RefreshRequest,
    response: null,
  },
  "GET /api/auth/validate/": {
    operationId: "validateAccessToken",
    summary: "Validate the access token",
    response: Validation,
  },
  "GET /api/auth/me/": { operationId: "getMe", summary: "Get the signed-in user", response: Me },
  "DELETE /api/auth/me/": {
    operationId: "deleteAccount",
    summary: "Delete the account: its sessions, service tokens, grants and graphs",
    response: null,
  },
  "GET /api/auth/sessions/": {
    operationId: "listSessions",
    summary: "List the caller's active sessions, newest first",
    query: SessionListQuery,
    response: SessionList,
  },
  "DELETE /api/auth/sessions/": {
    operationId: "endOtherSessions",
    summary: "End all of the caller's sessions except the current one",
    response: null,
  },
  "DELETE /api/auth/sessions/:id/": {
    operationId: "endSession",
    summary: "End one of the caller's sessions",
    problems: ["not_found"],
    response: null,
  },
  "POST /api/auth/sources/": {
    operationId: "addSource",
    summary: "Begin to add a source to the account, in this browser",
    problems: ["not_found", "origin_not_allowed"],
    body: SourceChoice,
    response: AddedSource,
  },
  "GET /api/audit/": {
    operationId: "listAuditTrail",
    summary: "List the audit trail of the caller's sessions and service tokens, newest first",
    query: AuditQuery,
    response: AuditTrail,
  },
  "POST /api/tokens/": {
    operationId: "createServiceToken",
    summary: "Create a service token; its raw value is in this response only",
    problems: ["token_limit_reached"],
    body: TokenCreation,
    response: CreatedToken,
  },
  "GET /api/tokens/": {
    operationId: "listServiceTokens",
    summary: "List the caller's service tokens, newest first",
    query: ServiceTokenListQuery,
    response: ServiceTokenList,
  },
  "GET /api/tokens/activity/": {
    operationId: "listTokenUse",
    summary: "List how much the caller's service tokens were used in the last week",
    response: TokenUseList,
  },
  "GET /api/tokens/:id/activity/": {
    operationId: "getTokenActivity",
    summary: "Get what a service token read, also for a while after it has ended",
    description:
      "Calls are written down together about once a second, so that a process that is killed loses the latest. They are kept for ACTIVITY_DAYS.",
    problems: ["not_found"],
    query: TokenActivityQuery,
    response: TokenActivity,
  },
  "POST /api/tokens/:id/rotate/": {
    operationId: "rotateServiceToken",
    summary:
      "Replace a service token with a new one of the same access; its raw value is in this response only",
    problems: ["not_found", "conflict", "token_limit_reached"],
    body: TokenRotation,
    response: CreatedToken,
  },
  "DELETE /api/tokens/:id/": {
    operationId: "revokeServiceToken",
    summary: "Revoke a service token permanently",
    problems: ["not_found"],
    response: null,
  },
  "GET /api/apps/requests/:id/": {
    operationId: "getAppRequest",
    summary: "Get a program's request to be connected, in the browser that it was made in",
    problems: ["not_found"],
    response: AppRequest,
  },
  "POST /api/apps/requests/:id/approve/": {
    operationId: "approveAppRequest",
    summary: "Connect the program: it gets a service token for the code in the address that is returned",
    problems: ["not_found", "token_limit_reached", "origin_not_allowed"],
    body: AppApproval,
    response: AppDecision,
  },
  "POST /api/apps/requests/:id/deny/": {
    operationId: "denyAppRequest",
    summary: "Refuse to connect the program",
    problems: ["not_found", "origin_not_allowed"],
    response: AppDecision,
  },
  "GET /api/v1/token/": { ...presentedTokenOperation, response: PresentedToken },
  "GET /api/provider-graph/paths/proposed/": {
    ...workspaceOperations.proposedPath,
    response: ProposedPath,
  },
  "POST /api/provider-graph/workspaces/:id/sync/": { ...workspaceOperations.sync, response: Workspace },
  "GET /api/provider-graph/workspaces/:id/syncs/": { ...workspaceOperations.syncs, response: SyncReportList },
  "PATCH /api/provider-graph/workspaces/:id/": {
    ...workspaceOperations.settings,
    body: WorkspaceSettings,
    response: Workspace,
  },
  "DELETE /api/provider-graph/workspaces/:id/": { ...workspaceOperations.disconnect, response: null },
} as const satisfies Record<string, Route>;

export type AccountRoute = keyof typeof accountRoutes;

type Message<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
type Field<Definition, Name extends string> = Definition extends { readonly [K in Name]: infer Schema }
  ? Message<Schema>
  : undefined;

/** The type of a message of a route: its query, its body or its response (null without one). */
export type RouteQuery<Name extends AccountRoute> = Field<(typeof accountRoutes)[Name], "query">;
export type RouteBody<Name extends AccountRoute> = Field<(typeof accountRoutes)[Name], "body">;
export type RouteResponse<Name extends AccountRoute> =
  (typeof accountRoutes)[Name]["response"] extends TSchema
    ? Static<Extract<(typeof accountRoutes)[Name]["response"], TSchema>>
    : null;
