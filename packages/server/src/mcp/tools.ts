import { type ContentQuery, graphLimits, type NeighborsQuery, type ToolName } from "@clew/contract";
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
  list_workspaces: workspaces,
  search_nodes: search,
  get_node: node,
  get_nodes: nodes,
  async read_content(ctx, { id, offset = 0, max_chars }: AboutNode & ContentQuery) {
    const maxChars = max_chars ?? graphLimits.content.standardChars;
    return presentContent(await content(ctx, { id }), { offset, maxChars });
  },
  get_neighbors: (ctx, { id, ...query }: AboutNode & NeighborsQuery) => neighbors(ctx, { id }, query),
  find_paths: paths,
  list_changes: changes,
};
