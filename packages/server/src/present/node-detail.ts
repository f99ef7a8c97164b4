import type { NodeDetail as NodeDetailMessage } from "@clew/contract";
import type { PlacedNode } from "../publication/readable.ts";
import type { NodeDetail } from "../store/graph-reading.ts";
import { presentNode } from "./node.ts";

/** All that Clew knows of a node but its text (GRAPH-4). */
export function presentNodeDetail({ source, node }: PlacedNode, detail: NodeDetail): NodeDetailMessage {
  return {
    ...presentNode(source, node),
    properties: { ...detail.properties },
    breadcrumb: source.graph.breadcrumb(node.id).map(({ id, title }) => ({ id, title })),
    edges_by_type: source.graph.edgesByType(node.id),
    unresolved: detail.unresolved.map(({ type, targetId, name, count }) => ({
      type,
      target_id: targetId,
      name,
      count,
    })),
    content_state: detail.contentState,
  };
}
