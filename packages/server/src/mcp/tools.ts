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
import type { Asking } from "../operations/asking.ts";
import { changes } from "../operations/changes/changes.ts";
import { content } from "../operations/content.ts";
import { neighbors } from "../operations/neighbors.ts";
import { node } from "../operations/node.ts";
import { nodes } from "../operations/nodes.ts";
import { paths } from "../operations/paths.ts";
import { search } from "../operations/search/search.ts";
import { workspaces } from "../operations/workspaces.ts";
import { presentContent } from "../present/content.ts";

interface AboutNode {
  readonly id: string;
}

/** Does what a tool is for. Its arguments have been validated against the tool's schema. */
export const doings: {
  readonly [Name in ToolName]: (asking: Asking, input: never) => Awaitable<object>;
} = {
  list_workspaces: (asking) => workspaces(asking),
  search_nodes: (asking, input: SearchQuery) => search(asking, input),
  get_node: (asking, input: AboutNode) => node(asking, input),
  get_nodes: (asking, input: NodesQuery) => nodes(asking, input),
  async read_content(asking, { id, offset = 0, max_chars }: AboutNode & ContentQuery) {
    const maxChars = max_chars ?? graphLimits.content.standardChars;
    return presentContent(await content(asking, { id }), { offset, maxChars });
  },
  get_neighbors: (asking, { id, ...query }: AboutNode & NeighborsQuery) => neighbors(asking, { id }, query),
  find_paths: (asking, input: PathsQuery) => paths(asking, input),
  list_changes: (asking, input: ChangesQuery) => changes(asking, input),
};
