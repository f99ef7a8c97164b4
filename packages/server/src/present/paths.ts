import type { Paths as PathsMessage } from "@clew/contract";
import type { Paths } from "@clew/graph";
import type { ReadableGraph } from "../graph-cache/readable.ts";
import { presentEdge } from "./edge.ts";
import { presentNode } from "./node.ts";

/** What a search for paths found, up to a number of steps (GRAPH-8). */
export function presentPaths(source: ReadableGraph, found: Paths, maxDepth: number): PathsMessage {
  const { graph } = source;
  return {
    status: found.status,
    complete: found.complete,
    paths: found.paths.map(({ nodes, edges }) => ({
      length: edges.length,
      nodes: nodes.map((node) => presentNode(source, graph.nodeAt(node))),
      edges: edges.map((edge) => presentEdge(graph.edge(edge))),
    })),
    searched: { max_depth: maxDepth, visited: found.visited },
  };
}
