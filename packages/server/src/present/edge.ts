import type { Edge } from "@clew/contract";
import type { GraphEdge } from "@clew/graph";

/** A typed, directed reference as callers see it. */
export function presentEdge({ from, to, type, name, count }: GraphEdge): Edge {
  return { from, to, type, name, count };
}
