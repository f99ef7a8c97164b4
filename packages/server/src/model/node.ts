import type { ContentState } from "@clew/contract";
import type { GraphNode } from "@clew/graph";

/** A plain JSON value, as a node's properties hold it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What the store keeps beside the graph and a single node's detail shows. */
export interface NodeRecord extends GraphNode {
  readonly properties: Readonly<Record<string, Json>>;
  readonly contentState: ContentState;
}
