import { type Static, Type } from "typebox";
import { named, nullable, oneOf, ref } from "./schema.ts";
import type { Scope } from "./service-token.ts";
import { Workspace } from "./workspace.ts";

/** Something that a door opens. */
export interface Operation {
  readonly path: string;
  /** What a service token needs: every one of these scopes, or any scope where there is none. */
  readonly scopes: readonly Scope[];
  readonly summary: string;
}

/** The operations below each of the two doors, `/api/v1` and `/api/provider-graph`. */
export const graphOperations = {
  overview: { path: "/", scopes: [], summary: "This door: what may be read, and how" },
  workspaces: { path: "/workspaces/", scopes: [], summary: "Readable workspaces, their size and freshness" },
  search: { path: "/search/", scopes: ["graph:search"], summary: "Search nodes by title" },
  nodes: { path: "/nodes/", scopes: ["graph:read"], summary: "Several nodes at once" },
  node: { path: "/nodes/:id/", scopes: ["graph:read"], summary: "One node in detail" },
  content: { path: "/nodes/:id/content/", scopes: ["graph:read"], summary: "A page's text as Markdown" },
  neighbors: {
    path: "/nodes/:id/neighbors/",
    scopes: ["graph:neighbors"],
    summary: "Neighbours of a node, nearest first",
  },
  paths: { path: "/paths/", scopes: ["graph:neighbors"], summary: "Shortest paths between two nodes" },
  changes: {
    path: "/changes/",
    scopes: ["graph:search", "graph:read"],
    summary: "What was added, changed or removed since a cursor",
  },
} as const satisfies Record<string, Operation>;

export type GraphOperation = keyof typeof graphOperations;

/** What `/api/provider-graph` has besides: a person's syncs and connections (GRAPH-15). */
export const workspaceOperations = {
  sync: {
    method: "POST",
    path: "/workspaces/:id/sync/",
    summary: "Starts a sync, or joins the one under way",
  },
  syncs: {
    method: "GET",
    path: "/workspaces/:id/syncs/",
    summary: "What the latest syncs found and could not read",
  },
  events: { method: "GET", path: "/workspaces/:id/events", summary: "A stream of the sync's progress" },
  disconnect: {
    method: "DELETE",
    path: "/workspaces/:id/",
    summary: "Gives the workspace up, and its graph",
  },
} as const satisfies Record<string, { method: string; path: string; summary: string }>;

/** What `/api/v1` has besides: the presented service token itself (GRAPH-14). */
export const presentedTokenOperation = {
  path: "/token/",
  scopes: [],
  summary: "What the presented service token is and opens",
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
        path: Type.String({ description: "`{id}` stands for the id of a node or a workspace" }),
        scope: nullable(Type.String({ description: "Scopes that are needed, with a space between them" })),
        summary: Type.String(),
      }),
    ),
  }),
);
export type Overview = Static<typeof Overview>;

export const WorkspaceList = named("WorkspaceList", Type.Object({ items: Type.Array(ref(Workspace)) }));
export type WorkspaceList = Static<typeof WorkspaceList>;
