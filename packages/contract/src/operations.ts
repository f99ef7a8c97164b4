import { type Static, type TSchema, Type } from "typebox";
import { Broken, BrokenQuery } from "./broken.ts";
import { Changes, FollowQuery } from "./changes.ts";
import { Context, ContextQuery } from "./context.ts";
import { ExportLine, ExportQuery, exportMediaTypes } from "./export.ts";
import { MapNodes, MapNodesQuery, MapQuery } from "./map.ts";
import { Content, ContentQuery, NodeDetail, NodePath, Nodes, NodesQuery } from "./node.ts";
import { Overview } from "./overview.ts";
import type { ProblemCode } from "./problem.ts";
import { Recent, RecentQuery } from "./recent.ts";
import { Related, RelatedQuery } from "./related.ts";
import { ResolvedPages, ResolveQuery } from "./resolve.ts";
import { Rows, RowsQuery } from "./rows.ts";
import { noQuery, ref } from "./schema.ts";
import { SearchQuery, SearchResults } from "./search.ts";
import type { Scope } from "./service-token.ts";
import { TextQuery, TextResults } from "./text.ts";
import { Tree, TreeQuery } from "./tree.ts";
import { mapFormat } from "./vocabulary.ts";
import { Edges, EdgesQuery, Neighbors, NeighborsQuery, Paths, PathsQuery } from "./walks.ts";
import { WorkspaceList, WorkspacePath } from "./workspace.ts";

/** The words of the OpenAPI document for an operation, beside its messages. */
export interface Documentation {
  /** Unique in the document. Generated clients name their functions after it, so it never changes. */
  readonly operationId: string;
  readonly summary: string;
  /** Details that the summary leaves out, as Markdown. */
  readonly description?: string;
  /** The codes of its own. Those of its credentials, of its parameters and of its body follow from their declarations. */
  readonly problems?: readonly ProblemCode[];
  readonly deprecation?: Deprecation;
}

/** The end of an operation (docs/versioning.md). Dates are midnight UTC: `2027-01-31`. */
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
  /** Parameters that sessions alone have. A service token that sends one is refused. */
  readonly sessionParameters?: readonly string[];
  /** The parameters in the path, if it has any. */
  readonly params?: TSchema;
  readonly query: TSchema;
  /** The responses by status, besides problems. */
  readonly responses: { readonly 200: TSchema | Representations; readonly 304?: TSchema };
}

/** A response that has one of several media types, or one other than JSON. */
interface Representations {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
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

/** The query of an operation for service tokens: without the parameters that sessions alone have. */
export function serviceTokenQuery({ query, sessionParameters = [] }: Operation): TSchema {
  if (sessionParameters.length === 0) return query;
  const { properties = {} } = query as { readonly properties?: object };
  const own = Object.entries(properties).filter(([name]) => !sessionParameters.includes(name));
  return { ...query, properties: Object.fromEntries(own) };
}

/** The path below which each audience reads the graph: programs with a service token, people with the access token of a session. */
export const audiences = { v1: "/api/v1", session: "/api/provider-graph" } as const;

const table = Type.String({ description: "The id of each row, then its columns" });

/**
 * The operations that both audiences have, each a `GET`. The routes of the server, the OpenAPI document with the clients that are
 * generated from it, and the scopes of tools follow from this table.
 */
export const graphOperations = {
  overview: {
    operationId: "getOverview",
    path: "/",
    scopes: [],
    summary: "What the caller may read, and how",
    query: noQuery,
    responses: { 200: ref(Overview) },
  },
  workspaces: {
    operationId: "listWorkspaces",
    path: "/workspaces/",
    scopes: [],
    summary: "List the readable workspaces, with their size and freshness",
    query: noQuery,
    responses: { 200: ref(WorkspaceList) },
  },
  search: {
    operationId: "searchPages",
    path: "/search/",
    scopes: ["graph:search"],
    parameterScopes: { is: ["graph:read"] },
    summary: "Search pages and databases by title, or list them",
    problems: ["node_not_found", "cursor_expired"],
    query: SearchQuery,
    responses: { 200: ref(SearchResults) },
  },
  resolve: {
    operationId: "resolvePage",
    path: "/resolve/",
    scopes: ["graph:search"],
    summary: "Find the page or database that a text names",
    query: ResolveQuery,
    responses: { 200: ref(ResolvedPages) },
  },
  text: {
    operationId: "searchTexts",
    path: "/text/",
    scopes: ["graph:search", "graph:read"],
    summary: "Search the texts of pages, with titles and properties",
    problems: ["node_not_found"],
    query: TextQuery,
    responses: { 200: ref(TextResults) },
  },
  context: {
    operationId: "buildContext",
    path: "/context/",
    scopes: ["graph:search", "graph:read", "graph:neighbors"],
    sessionParameters: ["explain"],
    summary: "Gather the passages of linked pages that answer a question",
    problems: ["not_acceptable", "node_not_found"],
    query: ContextQuery,
    responses: {
      200: {
        description: "The passages, with the pages that they are from",
        content: {
          "application/json": { schema: ref(Context) },
          "text/markdown": { schema: Type.String() },
        },
      },
    },
  },
  nodes: {
    operationId: "getPages",
    path: "/nodes/",
    scopes: ["graph:read"],
    summary: "Get several pages or databases by id",
    query: NodesQuery,
    responses: { 200: ref(Nodes) },
  },
  node: {
    operationId: "getPage",
    path: "/nodes/:id/",
    scopes: ["graph:read"],
    summary: "Get one page or database in detail",
    problems: ["node_not_found"],
    params: NodePath,
    query: noQuery,
    responses: { 200: ref(NodeDetail) },
  },
  content: {
    operationId: "getPageContent",
    path: "/nodes/:id/content/",
    scopes: ["graph:read"],
    summary: "Get the text of a page as Markdown",
    problems: ["node_not_found", "not_found", "not_acceptable"],
    params: NodePath,
    query: ContentQuery,
    responses: {
      200: {
        description: "A part of the text",
        content: {
          "application/json": { schema: ref(Content) },
          "text/markdown": { schema: Type.String() },
        },
      },
      304: Type.Null({ description: "The client already has this part of the text" }),
    },
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
    params: NodePath,
    query: RowsQuery,
    responses: {
      200: {
        description: "Rows of the database",
        content: {
          "application/json": { schema: ref(Rows) },
          "text/csv": { schema: table },
          "text/markdown": { schema: table },
        },
      },
    },
  },
  neighbors: {
    operationId: "listNeighbors",
    path: "/nodes/:id/neighbors/",
    scopes: ["graph:neighbors"],
    parameterScopes: { excerpts: ["graph:read"] },
    summary: "List the neighbours of a page or database, nearest first",
    problems: ["node_not_found", "cursor_expired"],
    params: NodePath,
    query: NeighborsQuery,
    responses: { 200: ref(Neighbors) },
  },
  edges: {
    operationId: "listEdges",
    path: "/edges/",
    scopes: ["graph:neighbors"],
    summary: "List the edges among several pages and databases",
    query: EdgesQuery,
    responses: { 200: ref(Edges) },
  },
  paths: {
    operationId: "findPaths",
    path: "/paths/",
    scopes: ["graph:neighbors"],
    parameterScopes: { excerpts: ["graph:read"] },
    summary: "Find the shortest paths between two pages or databases",
    problems: ["node_not_found"],
    query: PathsQuery,
    responses: { 200: ref(Paths) },
  },
  related: {
    operationId: "getRelated",
    path: "/nodes/:id/related/",
    scopes: ["graph:neighbors"],
    summary: "List what shares links with a page or database, best first",
    problems: ["node_not_found"],
    params: NodePath,
    query: RelatedQuery,
    responses: { 200: ref(Related) },
  },
  tree: {
    operationId: "listTree",
    path: "/tree/",
    scopes: ["graph:search"],
    summary: "List the tree of pages and databases",
    problems: ["node_not_found", "cursor_expired"],
    query: TreeQuery,
    responses: { 200: ref(Tree) },
  },
  map: {
    operationId: "getMap",
    path: "/workspaces/:id/map/",
    scopes: ["graph:search"],
    parameterScopes: { links: ["graph:neighbors"] },
    summary: "Get the map of a whole workspace: a place, a size and a colour for each page",
    description:
      "Pages lie in regions, which are circles: the area of a region follows its number of pages, and its important pages lie inside. Without " +
      "`links` regions are folders, and the same graph has the same map, byte for byte. With `links=true` regions are " +
      "communities of linked pages, linked regions lie near each other, and places stay where they were on the map before. That " +
      "map is made when it is asked for: a request may take some seconds, and is answered 503 with `Retry-After` if it takes longer.\n\n" +
      "All numbers are little-endian; texts are UTF-8, given by where they begin in the block of texts (u32) and their bytes (u16). " +
      "**Header**, 40 bytes: `CMAP`; format version 2 (u16); where the regions begin (u16); number of pages (u32); graph version (f64); numbers " +
      "of regions, of bundles and of legend entries (u16 each); what the colours say: 0 region, 1 folder, 2 database, 3 last edit " +
      "(u8); 1 if the map is by links (u8); where the texts and where the pages begin (u32 each); 4 bytes that are 0. **Regions**, 24 bytes each, those " +
      "of the first level, at most 40, before those in them: centre x and y, radius (u16 each); level, 1 or 2 (u8); a byte that is 0; the region that it is in, 65 535 for none " +
      "(u16); bytes of its name (u16); number of pages (u32); where its name begins (u32); position of the page that it is called by, " +
      "the number of pages for none (u32). **Bundles**, 8 bytes each, at most 200, strongest first: two regions (u16 each); number of " +
      "links between them (u32). **Legend**, 12 bytes each: what the colour says (u8, not 0); its value (u8); bytes of its name (u16); number of " +
      "pages (u32); where its name begins (u32). **Texts**. **Pages**, 6 bytes each, in the order of `tree/`, rows included: x and y (u16 " +
      "each); size (u8); colour (u8).\n\n" +
      "A page of size `s` has the radius `2^(s/8 - 16)`, which grows with its importance. A colour is the number of a region of the first " +
      "level, or a value of the legend, which has all colours but those of regions: folders, the largest databases (0 for none and for smaller ones), or " +
      "how long before the latest edit of the workspace a page was edited (the name is the day from which on a value holds).",
    problems: ["not_found"],
    params: WorkspacePath,
    query: MapQuery,
    responses: {
      200: {
        description: "The map",
        content: {
          [mapFormat.mediaType]: { schema: Type.Unsafe<Uint8Array>({ type: "string", format: "binary" }) },
        },
      },
      304: Type.Null({ description: "The client already has this map" }),
    },
  },
  mapNodes: {
    operationId: "listMapPages",
    path: "/workspaces/:id/map/nodes/",
    scopes: ["graph:search"],
    summary: "List the ids and titles of pages on the map of a workspace, by position or by id",
    problems: ["not_found"],
    params: WorkspacePath,
    query: MapNodesQuery,
    responses: { 200: ref(MapNodes) },
  },
  broken: {
    operationId: "listBrokenLinks",
    path: "/broken/",
    scopes: ["graph:search", "graph:read"],
    summary: "List the links to pages that are not shared or do not exist",
    problems: ["node_not_found", "cursor_expired"],
    query: BrokenQuery,
    responses: { 200: ref(Broken) },
  },
  changes: {
    operationId: "listChanges",
    path: "/changes/",
    scopes: ["graph:search", "graph:read"],
    summary: "List what was added, changed or removed since a cursor",
    problems: ["cursor_expired"],
    query: FollowQuery,
    responses: { 200: ref(Changes) },
  },
  export: {
    operationId: "exportGraph",
    path: "/export/",
    scopes: ["graph:search", "graph:read", "graph:neighbors"],
    summary: "Stream the whole graph as JSON lines, CSV or GraphML",
    query: ExportQuery,
    responses: {
      200: {
        description: "The graph. A stream that fails is broken off; JSON lines then lack their `end`",
        content: {
          // The schema of each line.
          [exportMediaTypes.jsonl]: { schema: ref(ExportLine) },
          [exportMediaTypes.csv]: { schema: Type.String({ description: "RFC 4180, with a line of names" }) },
          [exportMediaTypes.graphml]: { schema: Type.String() },
        },
      },
      304: Type.Null({ description: "The client already has this version of the graph" }),
    },
  },
  recent: {
    operationId: "listRecentChanges",
    path: "/recent/",
    scopes: ["graph:search", "graph:read"],
    summary: "List what was added, edited or removed lately, newest first",
    problems: ["node_not_found", "cursor_expired"],
    query: RecentQuery,
    responses: { 200: ref(Recent) },
  },
} as const satisfies Record<string, Operation>;

export type GraphOperation = keyof typeof graphOperations;

type Row<Name extends GraphOperation> = (typeof graphOperations)[Name];

/** The parameters of an operation, in path and query together. */
export type GraphInput<Name extends GraphOperation> = Static<Row<Name>["query"]> &
  (Row<Name> extends { readonly params: infer Params extends TSchema } ? Static<Params> : unknown);

/** The JSON message that an operation answers with; never for those that answer with bytes alone. */
export type GraphOutput<Name extends GraphOperation> = Row<Name>["responses"][200] extends infer Response
  ? Response extends { readonly content: { readonly "application/json": { readonly schema: infer Schema } } }
    ? Static<Extract<Schema, TSchema>>
    : Response extends { readonly content: unknown }
      ? never
      : Static<Extract<Response, TSchema>>
  : never;

/** The operations that only sessions have: syncs, connections, and a path to begin with (GRAPH-15). */
export const workspaceOperations = {
  proposedPath: {
    operationId: "proposePath",
    method: "GET",
    path: "/paths/proposed/",
    summary: "Propose a path between two pages, for people who have asked for none",
  },
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
  settings: {
    operationId: "changeWorkspace",
    method: "PATCH",
    path: "/workspaces/:id/",
    summary: "Change whether the tags of a workspace are nodes",
    problems: ["not_found", "conflict"],
    description:
      "With `tags: true`, tags are nodes of the type `tag`, and pages mention them. A sync follows a change, and its end shows " +
      "the other graph. A source without tags answers 409.",
  },
  disconnect: {
    operationId: "disconnectWorkspace",
    method: "DELETE",
    path: "/workspaces/:id/",
    summary: "Disconnect the workspace and delete its graph",
    problems: ["not_found"],
    description:
      "The workspace's graph is deleted, and its grant is revoked at the provider. A token that the operator set " +
      "is not revoked: revoke it in the provider's settings for developers. The workspace stays " +
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
