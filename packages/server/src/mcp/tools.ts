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
import type { Awaitable } from "../model/awaitable.ts";
import { changes } from "../operations/changes/changes.ts";
import { content } from "../operations/content.ts";
import { neighbors } from "../operations/neighbors.ts";
import { node } from "../operations/node.ts";
import { nodes } from "../operations/nodes.ts";
import { paths } from "../operations/paths.ts";
import type { RequestContext } from "../operations/request-context.ts";
import { search } from "../operations/search/search.ts";
import { workspaces } from "../operations/workspaces.ts";
import { presentContent } from "../present/content.ts";

interface AboutNode {
  readonly id: string;
}

/** Does what a tool is for. Its arguments have been validated against the tool's schema. */
export const toolHandlers: {
  readonly [Name in ToolName]: (ctx: RequestContext, input: never) => Awaitable<object>;
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
