import type { ContentState, NodeType } from "@clew/contract";
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

/** A plain JSON value, as a node's properties hold it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What the store keeps beside the graph and a single node's detail shows. */
export interface NodeRecord extends GraphNode {
  readonly properties: Readonly<Record<string, Json>>;
  readonly contentState: ContentState;
}
