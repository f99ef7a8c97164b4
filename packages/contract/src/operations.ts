import { type Static, Type } from "typebox";
import { named, nullable, oneOf, ref } from "./schema.ts";
import type { Scope } from "./service-token.ts";
import { Workspace } from "./workspace.ts";

/** An operation of the graph API. */
export interface Operation {
  readonly path: string;
  /** The scopes that a service token must have, all of them. None: any service token will do. */
  readonly scopes: readonly Scope[];
  readonly summary: string;
}

/** Where each audience reads the graph: programs with a service token, people with the access token of a session. */
export const audiences = { v1: "/api/v1", session: "/api/provider-graph" } as const;

/** The operations that both audiences have, each a `GET`. */
export const graphOperations = {
  overview: { path: "/", scopes: [], summary: "What the caller may read, and how" },
  workspaces: {
    path: "/workspaces/",
    scopes: [],
    summary: "List the readable workspaces, with their size and freshness",
  },
  search: { path: "/search/", scopes: ["graph:search"], summary: "Search pages and databases by title" },
  nodes: { path: "/nodes/", scopes: ["graph:read"], summary: "Get several pages or databases by id" },
  node: { path: "/nodes/:id/", scopes: ["graph:read"], summary: "Get one page or database in detail" },
  content: {
    path: "/nodes/:id/content/",
    scopes: ["graph:read"],
    summary: "Get the text of a page as Markdown",
  },
  neighbors: {
    path: "/nodes/:id/neighbors/",
    scopes: ["graph:neighbors"],
    summary: "List the neighbours of a page or database, nearest first",
  },
  paths: {
    path: "/paths/",
    scopes: ["graph:neighbors"],
    summary: "Find the shortest paths between two pages or databases",
  },
  changes: {
    path: "/changes/",
    scopes: ["graph:search", "graph:read"],
    summary: "List what was added, changed or removed since a cursor",
  },
} as const satisfies Record<string, Operation>;

export type GraphOperation = keyof typeof graphOperations;

/** The operations that only sessions have: syncs and connections (GRAPH-15). */
export const workspaceOperations = {
  sync: {
    method: "POST",
    path: "/workspaces/:id/sync/",
    summary: "Start a sync, or join the one that is running",
  },
  syncs: {
    method: "GET",
    path: "/workspaces/:id/syncs/",
    summary: "List the latest syncs: what they found, and what they could not read",
  },
  events: {
    method: "GET",
    path: "/workspaces/:id/events",
    summary: "Follow the progress of a sync as server-sent events",
  },
  disconnect: {
    method: "DELETE",
    path: "/workspaces/:id/",
    summary: "Disconnect the workspace and delete its graph",
  },
} as const satisfies Record<string, { method: string; path: string; summary: string }>;

/** The operation that only service tokens have (GRAPH-14). */
export const presentedTokenOperation = {
  path: "/token/",
  scopes: [],
  summary: "Describe the presented service token",
} as const;

/** `GET /api/v1/` and `GET /api/provider-graph/` (GRAPH-16). */
export const Overview = named(
  "Overview",
  Type.Object({
    workspaces: Type.Array(ref(Workspace)),
    operations: Type.Array(
      Type.Object({
        name: Type.String(),
        method: oneOf(["GET", "POST", "DELETE"]),
        path: Type.String({
          description: "Path of the operation; `{id}` stands for the id of a page, database or workspace",
        }),
        scope: nullable(
          Type.String({ description: "Scopes that a service token needs, separated by spaces" }),
        ),
        summary: Type.String(),
      }),
    ),
  }),
);
export type Overview = Static<typeof Overview>;

export const WorkspaceList = named("WorkspaceList", Type.Object({ items: Type.Array(ref(Workspace)) }));
export type WorkspaceList = Static<typeof WorkspaceList>;
