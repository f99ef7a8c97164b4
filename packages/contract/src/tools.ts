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

const id = Type.String({ description: "The node's id, with or without dashes" });

/**
 * The operations of the graph as tools for agents, at `/api/v1/mcp`: each takes what its route takes in path and query,
 * and gives the same message.
 */
export const tools = {
  list_workspaces: {
    operation: "workspaces",
    description:
      "List the workspaces that you may read: how many pages and links each has, how fresh its graph is, and whether it is " +
      "whole (sync.outcome, complete_as_of). Start here when you do not know what there is.",
    input: closed({}),
    output: WorkspaceList,
  },
  search_nodes: {
    operation: "search",
    description:
      "Find pages and databases by title: parts of words, several words in any order, and one typo in a long word are " +
      "fine, in every script. The best come first. Text inside pages is not searched: find a page, then follow its " +
      "links with get_neighbors or read it with read_content.",
    input: SearchQuery,
    output: SearchResults,
  },
  get_node: {
    operation: "node",
    description:
      "One page or database in detail: its properties, where it is (breadcrumb), how many links of each type it has, " +
      "and which of its links lead to pages that were not shared.",
    input: closed({ id }),
    output: NodeDetail,
  },
  get_nodes: {
    operation: "nodes",
    description: "Up to 100 pages or databases by their ids at once, and which of the ids are unknown.",
    input: NodesQuery,
    output: Nodes,
  },
  read_content: {
    operation: "content",
    description:
      "The text of a page as Markdown. Long texts come in parts: pass next_offset as offset to read on, and max_chars to " +
      "read less at a time.",
    input: closed({ id, ...ContentQuery.properties }),
    output: Content,
  },
  get_neighbors: {
    operation: "neighbors",
    description:
      "What is linked with a page, nearest first, up to three steps away, with the links between: child (parent to " +
      "child page), mention, link and relation. Backlinks are direction=in with edge_type=link,mention; child pages are " +
      "direction=out with edge_type=child.",
    input: closed({ id, ...NeighborsQuery.properties }),
    output: Neighbors,
  },
  find_paths: {
    operation: "paths",
    description:
      "How two pages are connected: the shortest paths from one to the other along their links. Status none means that " +
      "there is no way of any length; depth_reached that there may be a longer one.",
    input: PathsQuery,
    output: Paths,
  },
  list_changes: {
    operation: "changes",
    description:
      "What was added, changed or removed since a cursor. Without one it tells all there is; keep next_cursor to be told " +
      "later what is new since then.",
    input: ChangesQuery,
    output: Changes,
  },
} as const satisfies Record<
  string,
  { operation: GraphOperation; description: string; input: unknown; output: unknown }
>;

export type ToolName = keyof typeof tools;

/**
 * What is posted to `/api/v1/mcp`: a request or a notification of JSON-RPC 2.0, one at a time. Its parameters are the
 * Model Context Protocol's business.
 */
export const ToolMessage = named(
  "ToolMessage",
  closed({
    jsonrpc: oneOf(["2.0"]),
    id: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "integer"] })),
    method: Type.String({ pattern: "^[\\w$./-]{1,100}$", description: "`tools/call`, for example" }),
    params: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true })),
    ),
  }),
);
export type ToolMessage = Static<typeof ToolMessage>;
