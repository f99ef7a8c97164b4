import type { NodeDetail as NodeDetailMessage } from "@clew/contract";
import type { GraphNode } from "@clew/graph";
import type { LocatedNode } from "../graph-cache/readable.ts";
import type { NodeDetail } from "../store/queries/graph-reading.ts";
import { presentNode } from "./node.ts";

/** All that Clew knows of a node but its text (GRAPH-4). `truncated` says whether the detail was cut to fit an answer. */
export function presentNodeDetail(
  { source, node }: LocatedNode,
  detail: Pick<NodeDetail, "properties" | "unresolved" | "contentState">,
  breadcrumb: readonly Pick<GraphNode, "id" | "title">[],
  truncated: boolean,
): NodeDetailMessage {
  return {
    ...presentNode(source, node),
    properties: { ...detail.properties },
    breadcrumb: breadcrumb.map(({ id, title }) => ({ id, title })),
    edges_by_type: source.graph.edgesByType(node.id),
    unresolved: detail.unresolved.map(({ type, targetId, name, count }) => ({
      type,
      target_id: targetId,
      name,
      count,
    })),
    content_state: detail.contentState,
    truncated,
  };
}
