export type { IndexedEdge } from "./adjacency.ts";
export { buildColumns, buildGraph } from "./build.ts";
export { buffersOf } from "./columns.ts";
export type { GraphEdge, Reference } from "./edge.ts";
export { Graph, type GraphColumns } from "./graph.ts";
export {
  type AliasRow,
  type GraphRows,
  type NamedNode,
  type NodeRows,
  type ReferenceRows,
  rowsOf,
} from "./graph-rows.ts";
export { type GraphNode, type NodeId, parseNodeId } from "./node.ts";
export { receivedNodes } from "./node-columns.ts";
export { compareRank, type RankKey, type SearchHit, search } from "./search/search.ts";
export { type Neighbors, neighbors } from "./walk/neighbors.ts";
export { type Paths, paths } from "./walk/paths.ts";
export type { WalkLimits } from "./walk/walk-budget.ts";
