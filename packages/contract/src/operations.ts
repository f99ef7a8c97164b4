import { type Static, Type } from "typebox";
import type { ProblemCode } from "./problem.ts";
import { named, nullable, oneOf, ref } from "./schema.ts";
import type { Scope } from "./service-token.ts";
import { Workspace } from "./workspace.ts";

/** What the OpenAPI document says of an operation, beside its messages. */
export interface Documentation {
  /** Unique in the document. Generated clients name their functions after it, so it never changes. */
  readonly operationId: string;
  readonly summary: string;
  /** What the summary leaves out, as Markdown. */
  readonly description?: string;
  /** The codes of its own. Those of its credentials, of its parameters and of its body follow from their declarations. */
  readonly problems?: readonly ProblemCode[];
  readonly deprecation?: Deprecation;
}

/** How an operation ends (docs/versioning.md). Dates are midnight UTC: `2027-01-31`. */
export interface Deprecation {
  readonly since: string;
  readonly sunset?: string;
}

/** An operation of the graph API. */
export interface Operation extends Documentation {
  readonly path: string;
  /** The scopes that a service token must have, all of them. None: any service token will do. */
  readonly scopes: readonly Scope[];
  /** Parameters that tell what another operation tells, and the scopes that they need besides. */
  readonly parameterScopes?: ParameterScopes;
}

export type ParameterScopes = Readonly<Record<string, readonly Scope[]>>;

/** The scopes that a call with these parameters needs. A parameter that is `false` asks for nothing. */
export function neededScopes(
  { scopes, parameterScopes = {} }: Pick<Operation, "scopes" | "parameterScopes">,
  parameters: Readonly<Record<string, unknown>>,
): readonly Scope[] {
  const asked = Object.entries(parameterScopes).filter(
    ([name]) => parameters[name] !== undefined && String(parameters[name]) !== "false",
  );
  return asked.length === 0 ? scopes : [...new Set([...scopes, ...asked.flatMap(([, needed]) => needed)])];
}

/** Where each audience reads the graph: programs with a service token, people with the access token of a session. */
export const audiences = { v1: "/api/v1", session: "/api/provider-graph" } as const;

/** The operations that both audiences have, each a `GET`. */
export const graphOperations = {
  overview: {
    operationId: "getOverview",
    path: "/",
    scopes: [],
    summary: "What the caller may read, and how",
  },
  workspaces: {
    operationId: "listWorkspaces",
    path: "/workspaces/",
    scopes: [],
    summary: "List the readable workspaces, with their size and freshness",
  },
  search: {
    operationId: "searchPages",
    path: "/search/",
    scopes: ["graph:search"],
    parameterScopes: { is: ["graph:read"] },
    summary: "Search pages and databases by title, or list them",
    problems: ["node_not_found", "cursor_expired"],
  },
  text: {
    operationId: "searchTexts",
    path: "/text/",
    scopes: ["graph:search", "graph:read"],
    summary: "Search the texts of pages, with titles and properties",
  },
  context: {
    operationId: "buildContext",
    path: "/context/",
    scopes: ["graph:search", "graph:read", "graph:neighbors"],
    summary: "Gather the passages of linked pages that answer a question",
    problems: ["not_acceptable"],
  },
  nodes: {
    operationId: "getPages",
    path: "/nodes/",
    scopes: ["graph:read"],
    summary: "Get several pages or databases by id",
  },
  node: {
    operationId: "getPage",
    path: "/nodes/:id/",
    scopes: ["graph:read"],
    summary: "Get one page or database in detail",
    problems: ["node_not_found"],
  },
  content: {
    operationId: "getPageContent",
    path: "/nodes/:id/content/",
    scopes: ["graph:read"],
    summary: "Get the text of a page as Markdown",
    problems: ["node_not_found", "not_found", "not_acceptable"],
  },
  rows: {
    operationId: "listRows",
    path: "/nodes/:id/rows/",
    scopes: ["graph:read"],
    summary: "List the rows of a database: filtered, sorted, with their properties",
    description:
      "As JSON, or as a table with `Accept: text/csv` or `Accept: text/markdown`: the id of each row, then its columns.\n\n" +
      "Example: `?where=Status = Open&where=Due < %2B7d&column=Name&sort=Due`\n\n" +
      "CSV follows RFC 4180. A text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a " +
      "line break, possibly after apostrophes) has an apostrophe in front: take it off to have the text.",
    problems: ["node_not_found", "cursor_expired", "not_acceptable"],
  },
  neighbors: {
    operationId: "listNeighbors",
    path: "/nodes/:id/neighbors/",
    scopes: ["graph:neighbors"],
    parameterScopes: { excerpts: ["graph:read"] },
    summary: "List the neighbours of a page or database, nearest first",
    problems: ["node_not_found", "cursor_expired"],
  },
  edges: {
    operationId: "listEdges",
    path: "/edges/",
    scopes: ["graph:neighbors"],
    summary: "List the edges among several pages and databases",
  },
  paths: {
    operationId: "findPaths",
    path: "/paths/",
    scopes: ["graph:neighbors"],
    parameterScopes: { excerpts: ["graph:read"] },
    summary: "Find the shortest paths between two pages or databases",
    problems: ["node_not_found"],
  },
  related: {
    operationId: "getRelated",
    path: "/nodes/:id/related/",
    scopes: ["graph:neighbors"],
    summary: "List what shares links with a page or database, best first",
    problems: ["node_not_found"],
  },
  tree: {
    operationId: "listTree",
    path: "/tree/",
    scopes: ["graph:search"],
    summary: "List the tree of pages and databases",
    problems: ["node_not_found", "cursor_expired"],
  },
  map: {
    operationId: "getMap",
    path: "/workspaces/:id/map/",
    scopes: ["graph:search"],
    summary: "Get the map of a whole workspace: a place, a size and a colour for each page",
    description:
      "The pages lie in nested discs, as the tree nests them. The same graph has the same map, byte for byte.\n\n" +
      "All numbers are little-endian. **Header**, 32 bytes: `CMAP`; format version 1 (u16); bytes of a disc (u16); number of pages " +
      "(u32); number of discs (u32); where the pages begin (u32); 4 bytes that are 0; graph version (f64). **Discs**, 16 bytes " +
      "each, the largest 4 096, larger ones first: position of the page (u32); position behind the last page in it (u32); " +
      "centre x and y, radius (u16 each); 2 bytes that are 0. **Pages**, 6 bytes each, in the order of `tree/`, rows included: x " +
      "and y (u16 each); size (u8); colour (u8).\n\n" +
      "A page of size `s` has the radius `2^(s/8 - 16)`, which grows with its importance. A colour is a hue in 256ths of a " +
      "circle: pages of one database, or of one region of the workspace, have the same.",
    problems: ["not_found"],
  },
  mapNodes: {
    operationId: "listMapPages",
    path: "/workspaces/:id/map/nodes/",
    scopes: ["graph:search"],
    summary: "List the ids and titles of pages on the map of a workspace, by position or by id",
    problems: ["not_found"],
  },
  changes: {
    operationId: "listChanges",
    path: "/changes/",
    scopes: ["graph:search", "graph:read"],
    summary: "List what was added, changed or removed since a cursor",
    problems: ["cursor_expired"],
  },
  export: {
    operationId: "exportGraph",
    path: "/export/",
    scopes: ["graph:search", "graph:read", "graph:neighbors"],
    summary: "Stream the whole graph as JSON lines, CSV or GraphML",
  },
  recent: {
    operationId: "listRecentChanges",
    path: "/recent/",
    scopes: ["graph:search", "graph:read"],
    summary: "List what was added, edited or removed lately, newest first",
    problems: ["node_not_found", "cursor_expired"],
  },
} as const satisfies Record<string, Operation>;

export type GraphOperation = keyof typeof graphOperations;

/** The operations that only sessions have: syncs and connections (GRAPH-15). */
export const workspaceOperations = {
  sync: {
    operationId: "startSync",
    method: "POST",
    path: "/workspaces/:id/sync/",
    summary: "Start a sync, or have one follow the sync that is running",
    problems: ["not_found", "conflict"],
  },
  syncs: {
    operationId: "listSyncs",
    method: "GET",
    path: "/workspaces/:id/syncs/",
    summary: "List the latest syncs: what they found, and what they could not read",
    problems: ["not_found"],
  },
  events: {
    operationId: "followSync",
    method: "GET",
    path: "/workspaces/:id/events",
    summary: "Follow the progress of a sync as server-sent events",
    problems: ["not_found"],
  },
  disconnect: {
    operationId: "disconnectWorkspace",
    method: "DELETE",
    path: "/workspaces/:id/",
    summary: "Disconnect the workspace and delete its graph",
    problems: ["not_found"],
    description:
      "The workspace's graph is deleted, and its grant is revoked at the provider. A token that the operator set " +
      "(NOTION_TOKEN) is not revoked: revoke it in Notion's Developer portal. The workspace stays " +
      "disconnected until the person signs in again.",
  },
} as const satisfies Record<string, Documentation & { method: string; path: string }>;

/** The operation that only service tokens have (GRAPH-14). */
export const presentedTokenOperation = {
  operationId: "getPresentedToken",
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
