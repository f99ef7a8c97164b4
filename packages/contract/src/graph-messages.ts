import type { Changes, FollowQuery } from "./changes.ts";
import type { Context, ContextQuery } from "./context.ts";
import type {
  Content,
  ContentQuery,
  Edges,
  EdgesQuery,
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
import type { MapNodes, MapNodesQuery } from "./map.ts";
import type { GraphOperation, WorkspaceList } from "./operations.ts";
import type { Recent, RecentQuery } from "./recent.ts";
import type { Related, RelatedQuery } from "./related.ts";
import type { Rows, RowsQuery } from "./rows.ts";
import type { TextQuery, TextResults } from "./text.ts";
import type { Tree, TreeQuery } from "./tree.ts";

interface AboutNode {
  /** With or without dashes. */
  readonly id: string;
}

interface AboutWorkspace {
  readonly id: string;
}

/** The operations that take and return one message: the overview takes none, an export and a map return streams of bytes. */
type MessageOperation = Exclude<GraphOperation, "overview" | "export" | "map">;

/** What each graph operation takes, in path and query together, and what it returns. */
export interface GraphMessages extends Record<MessageOperation, Messages> {
  workspaces: { input: Record<string, never>; output: WorkspaceList };
  search: { input: SearchQuery; output: SearchResults };
  context: { input: ContextQuery; output: Context };
  text: { input: TextQuery; output: TextResults };
  nodes: { input: NodesQuery; output: Nodes };
  node: { input: AboutNode; output: NodeDetail };
  content: { input: AboutNode & ContentQuery; output: Content };
  rows: { input: AboutNode & RowsQuery; output: Rows };
  neighbors: { input: AboutNode & NeighborsQuery; output: Neighbors };
  edges: { input: EdgesQuery; output: Edges };
  paths: { input: PathsQuery; output: Paths };
  related: { input: AboutNode & RelatedQuery; output: Related };
  tree: { input: TreeQuery; output: Tree };
  changes: { input: FollowQuery; output: Changes };
  mapNodes: { input: AboutWorkspace & MapNodesQuery; output: MapNodes };
  recent: { input: RecentQuery; output: Recent };
}

interface Messages {
  readonly input: object;
  readonly output: object;
}
