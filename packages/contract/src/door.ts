import { type Static, Type } from "typebox";
import { named, nullable, ref } from "./schema.ts";
import type { Scope } from "./service-token.ts";
import { Workspace } from "./workspace.ts";

/**
 * The operations below each of the two doors, `/api/v1` and `/api/provider-graph`.
 * `scope` is what a service token needs; null means that any scope will do.
 */
export const graphOperations = {
  overview: { path: "/", scope: null, summary: "This door: what may be read, and how" },
  workspaces: { path: "/workspaces/", scope: null, summary: "Readable workspaces, their size and freshness" },
  search: { path: "/search/", scope: "graph:search", summary: "Search nodes by title" },
  nodes: { path: "/nodes/", scope: "graph:read", summary: "Several nodes at once" },
  node: { path: "/nodes/:id/", scope: "graph:read", summary: "One node in detail" },
  content: { path: "/nodes/:id/content/", scope: "graph:read", summary: "A page's text as Markdown" },
  neighbors: {
    path: "/nodes/:id/neighbors/",
    scope: "graph:neighbors",
    summary: "Neighbours of a node, nearest first",
  },
  paths: { path: "/paths/", scope: "graph:neighbors", summary: "Shortest paths between two nodes" },
} as const satisfies Record<string, { path: string; scope: Scope | null; summary: string }>;

export type GraphOperation = keyof typeof graphOperations;

/** What `/api/v1` has besides: the presented service token itself (GRAPH-14). */
export const presentedTokenOperation = {
  path: "/token/",
  scope: null,
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
        method: Type.Literal("GET"),
        path: Type.String({ description: "`{id}` stands for a node's id" }),
        scope: nullable(Type.String()),
        summary: Type.String(),
      }),
    ),
  }),
);
export type Overview = Static<typeof Overview>;

export const WorkspaceList = named("WorkspaceList", Type.Object({ items: Type.Array(ref(Workspace)) }));
export type WorkspaceList = Static<typeof WorkspaceList>;
