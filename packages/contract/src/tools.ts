import { type Static, Type } from "typebox";
import { Changes, ChangesQuery } from "./changes.ts";
import {
  Content,
  ContentQuery,
  Neighbors,
  NeighborsQuery,
  NodeDetail,
  Nodes,
  NodesQuery,
  Paths,
  PathsQuery,
  SearchQuery,
  SearchResults,
} from "./graph.ts";
import { type GraphOperation, WorkspaceList } from "./operations.ts";
import { closed, named, oneOf } from "./schema.ts";

const id = Type.String({ description: "Id of the page or database, with or without dashes" });

/** The graph operations as MCP tools, at `/api/v1/mcp`. Input and output are those of the routes. */
export const tools = {
  list_workspaces: {
    operation: "workspaces",
    description:
      "List the workspaces that you may read, with the number of their pages and links, when they were last synced, and " +
      "whether that sync was complete (sync.outcome, complete_as_of). Start here if you do not know what there is.",
    input: closed({}),
    output: WorkspaceList,
  },
  search_nodes: {
    operation: "search",
    description:
      "Find pages and databases by title, best match first. Matches parts of words, several words in any order, and long " +
      "words with one typo, in every script. It does not search the text of pages: find a page, then follow its links " +
      "with get_neighbors or read it with read_content.",
    input: SearchQuery,
    output: SearchResults,
  },
  get_node: {
    operation: "node",
    description:
      "Get one page or database: its properties, its location (breadcrumb), the number of its links by type, and its " +
      "links to pages that are not shared with you.",
    input: closed({ id }),
    output: NodeDetail,
  },
  get_nodes: {
    operation: "nodes",
    description: "Get up to 100 pages or databases by id. Lists the ids that are unknown.",
    input: NodesQuery,
    output: Nodes,
  },
  read_content: {
    operation: "content",
    description:
      "Get the text of a page as Markdown. Long texts are returned in parts: pass next_offset as offset to get the next " +
      "part, and max_chars to get smaller parts.",
    input: closed({ id, ...ContentQuery.properties }),
    output: Content,
  },
  get_neighbors: {
    operation: "neighbors",
    description:
      "List what is linked with a page or database, nearest first, up to three steps away, with the links between them: " +
      "child (from parent to subpage), mention, link and relation. For backlinks use direction=in and " +
      "edge_type=link,mention; for subpages direction=out and edge_type=child.",
    input: closed({ id, ...NeighborsQuery.properties }),
    output: Neighbors,
  },
  find_paths: {
    operation: "paths",
    description:
      "Find out how two pages are connected: the shortest paths from one to the other along links. Status none means that " +
      "there is no path of any length; depth_reached means that there may be one longer than max_depth.",
    input: PathsQuery,
    output: Paths,
  },
  list_changes: {
    operation: "changes",
    description:
      "List what was added, changed or removed since a cursor. Without a cursor it lists everything; keep next_cursor to " +
      "list later changes.",
    input: ChangesQuery,
    output: Changes,
  },
} as const satisfies Record<
  string,
  { operation: GraphOperation; description: string; input: unknown; output: unknown }
>;

export type ToolName = keyof typeof tools;

/** The body of `POST /api/v1/mcp`: one JSON-RPC 2.0 request or notification of the Model Context Protocol. */
export const ToolMessage = named(
  "ToolMessage",
  closed({
    jsonrpc: oneOf(["2.0"]),
    id: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "integer"] })),
    method: Type.String({ pattern: "^[\\w$./-]{1,100}$", description: "For example `tools/call`" }),
    params: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true })),
    ),
  }),
);
export type ToolMessage = Static<typeof ToolMessage>;
