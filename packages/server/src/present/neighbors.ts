import type { Neighbors as NeighborsMessage } from "@clew/contract";
import type { Neighbors } from "@clew/graph";
import type { LocatedNode } from "../graph-cache/readable.ts";
import { presentEdge } from "./edge.ts";
import { presentNode } from "./node.ts";

/** A page of a node's neighbours (GRAPH-7). */
export function presentNeighbors(
  { source, node }: LocatedNode,
  walk: Neighbors,
  nextCursor: string | null,
): NeighborsMessage {
  const { graph } = source;
  return {
    node: presentNode(source, node),
    items: walk.items.map((item) => ({
      node: presentNode(source, graph.nodeAt(item.node)),
      depth: item.depth,
      edges: item.edges.map((edge) => presentEdge(graph.edge(edge))),
    })),
    next_cursor: nextCursor,
    truncated: walk.truncated,
    visited: walk.visited,
  };
}
