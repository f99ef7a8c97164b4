import type { ContentState } from "@clew/contract";
import type { GraphNode } from "@clew/graph";

/** A plain JSON value, such as a node's property. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Data of a node that is stored outside the graph, for its detail. */
export interface NodeRecord extends GraphNode {
  readonly properties: Readonly<Record<string, Json>>;
  readonly contentState: ContentState;
}
