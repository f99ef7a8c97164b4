import type { ContentState, EdgeType } from "@clew/contract";
import type { NodeId } from "@clew/graph";

/** A plain JSON value, such as a node's property. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** What the graph in memory does not hold of a node. */
export interface StoredDetail {
  readonly properties: Readonly<Record<string, Json>>;
  readonly contentState: ContentState;
  /** Why the text could not be read, if the state is `failed`. */
  readonly contentError: string | null;
  /** References to pages that are not shared or do not exist. */
  readonly unresolved: readonly UnresolvedReference[];
}

/** A node's references of one type to one missing page. */
export interface UnresolvedReference {
  readonly type: EdgeType;
  readonly targetId: NodeId;
  /** The first name that the text gives the page; null for references without one, such as relations. */
  readonly name: string | null;
  readonly count: number;
}
