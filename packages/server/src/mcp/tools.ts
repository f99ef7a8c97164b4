import {
  type ChangesQuery,
  type ContentQuery,
  graphLimits,
  type NeighborsQuery,
  type NodesQuery,
  type PathsQuery,
  type SearchQuery,
  type ToolName,
} from "@clew/contract";
import { changes } from "../operations/changes.ts";
import { content, node, nodes } from "../operations/nodes.ts";
import type { RequestContext } from "../operations/request-context.ts";
import { search } from "../operations/search.ts";
import { neighbors, paths } from "../operations/walks.ts";
import { workspaces } from "../operations/workspaces.ts";
import { presentContent } from "../present/graph.ts";

interface AboutNode {
  readonly id: string;
}

/** Runs a tool. Its arguments are validated against the tool's schema before. */
export const toolHandlers: {
  readonly [Name in ToolName]: (ctx: RequestContext, input: never) => Promise<object>;
} = {
  list_workspaces: (ctx) => workspaces(ctx),
  search_nodes: (ctx, input: SearchQuery) => search(ctx, input),
  get_node: (ctx, input: AboutNode) => node(ctx, input),
  get_nodes: (ctx, input: NodesQuery) => nodes(ctx, input),
  async read_content(ctx, { id, offset = 0, max_chars }: AboutNode & ContentQuery) {
    const maxChars = max_chars ?? graphLimits.content.standardChars;
    return presentContent(await content(ctx, { id }), { offset, maxChars });
  },
  get_neighbors: (ctx, { id, ...query }: AboutNode & NeighborsQuery) => neighbors(ctx, { id }, query),
  find_paths: (ctx, input: PathsQuery) => paths(ctx, input),
  list_changes: (ctx, input: ChangesQuery) => changes(ctx, input),
};
