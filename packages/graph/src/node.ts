import type { NodeType } from "@clew/contract";
import type { NodeId } from "./node-id.ts";

/** What the graph knows of a page or database. Times are milliseconds since the Unix epoch. */
export interface GraphNode {
  readonly id: NodeId;
  readonly type: NodeType;
  /** Empty where the page has none. */
  readonly title: string;
  /** An emoji or an https URL. */
  readonly icon: string | null;
  readonly url: string | null;
  /** The nearest ancestor that is itself a node, null at the root. */
  readonly parentId: NodeId | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}
