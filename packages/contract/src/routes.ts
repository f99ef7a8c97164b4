import type { Static, TSchema } from "typebox";
import { AuditQuery, AuditTrail } from "./audit.ts";
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
import { Me } from "./user.ts";
import { Workspace } from "./workspace.ts";

interface Route {
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Null if the response has no body. */
  readonly response: TSchema | null;
}

/** The JSON messages of the routes outside the graph's shared operations. */
export const accountRoutes = {
  "POST /api/auth/refresh/": { body: RefreshRequest, response: AccessToken },
  "POST /api/auth/logout/": { body: RefreshRequest, response: null },
  "GET /api/auth/validate/": { response: Validation },
  "GET /api/auth/me/": { response: Me },
  "DELETE /api/auth/me/": { response: null },
  "GET /api/auth/sessions/": { query: SessionListQuery, response: SessionList },
  "DELETE /api/auth/sessions/": { response: null },
  "DELETE /api/auth/sessions/:id/": { response: null },
  "GET /api/audit/": { query: AuditQuery, response: AuditTrail },
  "POST /api/tokens/": { body: TokenCreation, response: CreatedToken },
  "GET /api/tokens/": { query: ServiceTokenListQuery, response: ServiceTokenList },
  "POST /api/tokens/:id/rotate/": { body: TokenRotation, response: CreatedToken },
  "DELETE /api/tokens/:id/": { response: null },
  "GET /api/v1/token/": { response: PresentedToken },
  "POST /api/provider-graph/workspaces/:id/sync/": { response: Workspace },
  "GET /api/provider-graph/workspaces/:id/syncs/": { response: SyncReportList },
  "DELETE /api/provider-graph/workspaces/:id/": { response: null },
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
