import type { Changes } from "@clew/contract";
import type { ReadableGraph } from "../graph-cache/readable.ts";
import type { Change } from "../store/queries/change-feed.ts";
import { presentNode } from "./node.ts";

/**
 * A change of a node as the graph has it (GRAPH-11): none where a newer graph took its place since the change was read,
 * which tells it instead.
 */
export function presentChange(source: ReadableGraph, { kind, nodeId }: Change): Changes["items"] {
  const about = { workspace_id: source.connection.workspaceId, node_id: nodeId };
  if (kind === "removed") return [{ change: kind, ...about, node: null }];
  const node = source.graph.node(nodeId);
  return node === null ? [] : [{ change: kind, ...about, node: presentNode(source, node) }];
}
